/**
 * Makes dist/: the JavaScript in few files, its types beside it, and the commands executable. `--pack` also writes the
 * manifest that is packed in place of package.json; `--clean` undoes both.
 */
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundleSources } from './build/bundle.ts'
import { buildConsole } from './build/console.ts'
import { declarations } from './build/declarations.ts'
import { commandEntries, projectRoot } from './build/entries.ts'
import { packedManifest, type Publisher } from './build/manifest.ts'

const dist = join(projectRoot, 'dist')
const manifest = join(projectRoot, 'package.json')
/** The manifest of the sources, while the packed one is in its place. */
const unpacked = join(projectRoot, 'package.json.unpacked')

function checkCommand(name: string): void {
  const bin = join(dist, `${name}.js`)
  if (!readFileSync(bin, 'utf8').startsWith('#!/usr/bin/env node\n'))
    throw new Error(`${bin} does not begin with its #! line, so it would not start: look at ${name}.ts`)
  chmodSync(bin, 0o755)
}

const readJson = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'))

function writePackedManifest(): void {
  const publisher = readJson(join(projectRoot, 'scripts/build/publisher.json')) as Publisher
  const packed = packedManifest(readJson(manifest) as Readonly<Record<string, unknown>>, publisher)
  renameSync(manifest, unpacked)
  writeFileSync(manifest, `${JSON.stringify(packed, null, 2)}\n`)
}

// `npx touchstone` takes dist/ before anything else, so one that is left over hides what was changed since.
rmSync(dist, { recursive: true, force: true })
if (process.argv.includes('--clean')) {
  if (existsSync(unpacked)) renameSync(unpacked, manifest)
} else {
  execFileSync(process.execPath, [join(projectRoot, 'scripts/generate.ts'), '--if-changed'], {
    stdio: 'inherit',
  })
  await Promise.all([bundleSources(dist), declarations(dist), buildConsole(join(dist, 'console'))])
  commandEntries.forEach(checkCommand)
  if (process.argv.includes('--pack')) writePackedManifest()
}
