import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { startedAs } from './process-io.ts'

const bin = fileURLToPath(new URL('bin.ts', import.meta.url))
const shell = (line: string, env: NodeJS.ProcessEnv = {}) =>
  spawnSync('bash', ['-o', 'pipefail', '-c', line], {
    encoding: 'utf8',
    env: { ...process.env, NODE: process.execPath, BIN: bin, ...env },
  })

describe('the command line, as a process', () => {
  it('lets a reader close the pipe before it has read everything', () => {
    // More than any pipe holds, so that the rest meets a closed one.
    const { status, stdout, stderr } = shell('"$NODE" "$BIN" list clauses --json | head -n 1')

    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '[\n', stderr: '' })
  })

  it('says that its output cannot be written, and takes that for no result', () => {
    const { status, stderr } = shell('"$NODE" "$BIN" list clauses > /dev/full')

    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: expect.stringMatching(
        /^(\d+ clauses\n)?error: the output cannot be written \(the disk is full\)\.\n/,
      ),
    })
  })

  it.each([
    ['ended by the first signal where nobody looks for one', '', { code: null, signal: 'SIGTERM' }],
    [
      'asked to end where somebody does',
      'io.stopped.onabort = () => process.exit(7)',
      { code: 7, signal: null },
    ],
  ])('is %s', async (_, looks, ending) => {
    const lines = [
      `import { processIo } from ${JSON.stringify(new URL('process-io.ts', import.meta.url).href)}`,
      'const io = processIo()',
      looks,
      'setInterval(() => {}, 1000)',
      "io.out('say `touchstone {}`; see `touchstone check`')",
    ]
    const child = spawn(process.execPath, ['--input-type=module', '-e', lines.join('\n')])
    const [said] = await once(child.stdout, 'data')
    expect(`${said}`).toMatch(/^say `touchstone {}`; see `(?!touchstone ).* check`$/)
    child.kill()
    const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
    expect({ code, signal }).toEqual(ending)
  })

  it('keeps to the columns of the environment', () => {
    const { stdout } = shell('"$NODE" "$BIN" check --help', { COLUMNS: '80' })
    const [options = ''] = stdout.split('Examples:')

    expect(Math.max(...options.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80)
  })
})

const installed = '/home/me/app/node_modules/.bin/touchstone'
const npx = { npm_command: 'exec', npm_lifecycle_event: 'npx' }

it.each<[started: string, env: Record<string, string>, script: string]>([
  [
    'npm run touchstone --',
    { npm_command: 'run-script', npm_lifecycle_event: 'touchstone' },
    '/home/me/app/cli/bin.ts',
  ],
  ['npx touchstone', npx, installed],
  [
    './../../../root/.npm/_npx/0a/node_modules/.bin/touchstone',
    npx,
    '/root/.npm/_npx/0a/node_modules/.bin/touchstone',
  ],
  ['npx touchstone', { npm_command: 'run-script', npm_lifecycle_event: 'contract' }, installed],
  ['./node_modules/.bin/touchstone', { PATH: '/usr/bin' }, installed],
  ['touchstone', { PATH: '/usr/bin:/usr/local/bin' }, '/usr/local/bin/touchstone'],
  ['node cli/bin.ts', {}, '/home/me/app/cli/bin.ts'],
])('prints commands that begin with `%s`', (started, env, script) => {
  expect(startedAs(env, script, '/home/me/app')).toBe(started)
})
