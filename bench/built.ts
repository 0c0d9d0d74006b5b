/**
 * The sources and the benches, compiled where no command of a user of this folder finds them, and the package as users
 * get it: a process that has to make JavaScript of its sources first takes more time and more memory than it will anywhere else.
 */
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { bundleSources } from '../scripts/build/bundle.ts'
import { cacheFolder, root, run } from './cache.ts'

let folder: string | undefined

function newFolder(): string {
  const made = mkdtempSync(join(cacheFolder('packages'), 'of-'))
  process.once('exit', () => rmSync(made, { recursive: true, force: true }))
  // It says that the files are modules, and which version they are of.
  copyFileSync(join(root, 'package.json'), join(made, 'package.json'))
  return made
}

function build(): string {
  const made = newFolder()
  // Types are checked elsewhere; what somebody is still at does not keep the rest from being measured.
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

/** The command `touchstone` as it is published, bundled anew. */
export async function publishedCommand(): Promise<string> {
  const dist = join(newFolder(), 'dist')
  await bundleSources(dist)
  return join(dist, 'cli/bin.js')
}

/** A source, such as `cli/bin.ts`, as the file that Node runs. Builds everything when first asked, for this process. */
export function built(source: string): string {
  folder ??= build()
  return join(folder, source.replace(/\.ts$/, '.js'))
}
