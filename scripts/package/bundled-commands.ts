/** The commands as the package has them, for processes that tests start: from sources each takes half a second longer. */
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundleSources } from '../build/bundle.ts'
import { cache, digestOfFiles, sourceFiles } from './pack-copy.ts'

/** Folders that the bundle is made of, and what makes it. */
const bundled =
  /^(?:bundle|cli|client|kits|reports|scripts|simulator|spec|suites)\/|^package(?:-lock)?\.json$/

/** Returns the folder with `cli/bin.js` and the others, bundled only where that of the same sources is not in the cache. */
export async function bundledCommands(): Promise<string> {
  const folder = join(cache, `bundle-${digestOfFiles(sourceFiles().filter((path) => bundled.test(path)))}`)
  if (!existsSync(folder)) {
    mkdirSync(cache, { recursive: true })
    const partial = mkdtempSync(join(cache, 'bundling-'))
    await bundleSources(partial)
    writeFileSync(join(partial, 'package.json'), '{ "type": "module" }\n')
    // Another process that looks for the folder finds all of it or nothing.
    try {
      renameSync(partial, folder)
    } catch (error) {
      rmSync(partial, { recursive: true })
      // Another process may have been faster.
      if (!existsSync(folder)) throw error
    }
  }
  return folder
}
