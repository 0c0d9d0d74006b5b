/** Makes dist/: the JavaScript in few files, its types beside it, and the commands executable. `--clean` takes it away. */
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { completionFile } from '../cli/completion/table.ts'
import { bundleSources } from './build/bundle.ts'
import { buildConsole } from './build/console.ts'
import { declarations } from './build/declarations.ts'
import { commandEntries, projectRoot } from './build/entries.ts'

const dist = join(projectRoot, 'dist')

function checkCommand(name: string): void {
  const bin = join(dist, `${name}.js`)
  if (!readFileSync(bin, 'utf8').startsWith('#!/usr/bin/env node\n'))
    throw new Error(`${bin} does not begin with its #! line, so it would not start: look at ${name}.ts`)
  chmodSync(bin, 0o755)
}

rmSync(dist, { recursive: true, force: true })
// `npx touchstone` takes dist/ before anything else, so one that is left over hides what was changed since.
if (!process.argv.includes('--clean')) {
  await Promise.all([bundleSources(dist), declarations(dist), buildConsole(join(dist, 'console'))])
  commandEntries.forEach(checkCommand)
  writeFileSync(join(dist, 'cli/completion.txt'), completionFile())
}
