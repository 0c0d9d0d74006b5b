/** Makes dist/: the TypeScript compiled, the JSON that it imports beside it, and the commands executable. `--clean` takes it away. */
import { spawnSync } from 'node:child_process'
import { chmodSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const dist = join(root, 'dist')

function compile(): void {
  const tsc = join(root, 'node_modules/.bin/tsc')
  const { status } = spawnSync(tsc, ['-p', 'tsconfig.build.json'], { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}

/** Their names below dist/, without an ending. */
const commands = ['cli/bin', 'client/command-line/bin']

function checkCommand(name: string): void {
  const bin = join(dist, `${name}.js`)
  if (!readFileSync(bin, 'utf8').startsWith('#!/usr/bin/env node\n'))
    throw new Error(`${bin} does not begin with its #! line, so it would not start: look at ${name}.ts`)
  chmodSync(bin, 0o755)
}

rmSync(dist, { recursive: true, force: true })
// `npx touchstone` takes dist/ before anything else, so one that is left over hides what was changed since.
if (!process.argv.includes('--clean')) {
  compile()
  commands.forEach(checkCommand)
}
