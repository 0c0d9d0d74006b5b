import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { realClock } from '../../../wire/clock.ts'
import { runProgram } from './hooks.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'program-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const never = new AbortController().signal
const node = (script: string, ...args: readonly string[]) => [process.execPath, '-e', script, ...args]
const run = (argv: readonly string[], environment = {}) =>
  runProgram(argv, { folder, environment, stop: never })

test('a program gets its arguments as they are, its folder, and no environment but its own', async () => {
  const script = 'console.log(JSON.stringify([process.argv[1], process.cwd(), Object.keys(process.env)]))'
  const { stdout, code } = await run(node(script, '$(id); *'), { ONLY: '1' })
  const [argument, cwd, names] = JSON.parse(stdout) as [string, string, string[]]
  expect([argument, code]).toEqual(['$(id); *', 0])
  expect(cwd.endsWith(folder)).toBe(true)
  expect(names.filter((name) => !name.startsWith('__'))).toEqual(['ONLY'])
})

test('a program that hangs is ended with the children it started', async () => {
  const alive = join(folder, 'child')
  const child = `require('fs').writeFileSync(${JSON.stringify(alive)}, String(process.pid)); setInterval(() => {}, 1000)`
  const parent = `require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(child)}], { stdio: 'inherit' }); setInterval(() => {}, 1000)`
  const stop = new AbortController()
  const ended = runProgram(node(parent), { folder, environment: {}, stop: stop.signal })
  const clock = realClock()
  while (!existsSync(alive) || readFileSync(alive, 'utf8') === '') await clock.sleep(5)
  const pid = Number(readFileSync(alive, 'utf8'))
  stop.abort(new Error('enough'))
  await expect(ended).rejects.toThrow('enough')
  while (isRunning(pid)) await clock.sleep(5)
})

/** A process that ended and was not yet fetched by its parent runs no more. */
function isRunning(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return existsSync('/proc/self/stat') ? false : isSignalled(pid)
  }
}

function isSignalled(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
