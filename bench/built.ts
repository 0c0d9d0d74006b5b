/** The package as users get it, compiled beside the sources, where no command of a user of this folder finds it. */
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { cacheFolder, cached, root, run } from './cache.ts'

/** Gives the file of the command. */
export function buildCommand(): string {
  const folder = cacheFolder('package')
  run(join(root, 'node_modules/.bin/tsc'), '-p', 'tsconfig.build.json', '--outDir', join(folder, 'dist'))
  // It says that the files are modules, and which version they are of.
  copyFileSync(join(root, 'package.json'), join(folder, 'package.json'))
  return cached('package', 'dist/cli/bin.js')
}
