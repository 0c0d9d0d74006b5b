/**
 * Compiles the sources and benchmarks to a private folder, and bundles the package as it is published: a process that
 * first has to strip types takes more time and memory than it does for users.
 */
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { bundleSources } from '../../scripts/build/bundle.ts'
import { cacheFolder, root, run } from '../cache.ts'

let folder: string | undefined

function newFolder(): string {
  const made = mkdtempSync(join(cacheFolder('packages'), 'of-'))
  process.once('exit', () => rmSync(made, { recursive: true, force: true }))
  // Declares the module type and the version.
  copyFileSync(join(root, 'package.json'), join(made, 'package.json'))
  return made
}

function build(): string {
  const made = newFolder()
  // Types are checked elsewhere: unfinished work must not prevent a measurement.
  run(
    join(root, 'node_modules/.bin/tsc'),
    '-p',
    'bench/tsconfig.json',
    '--noCheck',
    '--outDir',
    join(made, 'dist'),
  )
  return join(made, 'dist')
}

/** Bundles the command `touchstone` as it is published. */
export async function publishedCommand(): Promise<string> {
  const dist = join(newFolder(), 'dist')
  await bundleSources(dist)
  return join(dist, 'cli/bin.js')
}

/** The compiled file of a source such as `cli/bin.ts`. The first call in a process compiles everything. */
export function compiledFile(source: string): string {
  folder ??= build()
  return join(folder, source.replace(/\.ts$/, '.js'))
}
