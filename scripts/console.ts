/**
 * Makes the console for a clone, where `touchstone` runs from sources, and prints the folder. Nothing is made again
 * while the sources are the same.
 */
import { createHash, randomUUID } from 'node:crypto'
import { existsSync, globSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { buildConsole } from './build/console.ts'
import { projectRoot } from './build/entries.ts'

const sources = globSync(['console/**/*', 'package-lock.json'], { cwd: projectRoot, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name))
  .sort()
const digest = createHash('sha256')
for (const path of sources) digest.update(path).update(readFileSync(path))
const cache = join(projectRoot, 'node_modules/.cache/touchstone')
const folder = join(cache, `console-${digest.digest('hex').slice(0, 16)}`)
if (!existsSync(folder)) {
  // Made elsewhere first: another process may look for it meanwhile.
  const partial = join(cache, `console-${randomUUID()}`)
  await buildConsole(partial)
  try {
    renameSync(partial, folder)
  } catch (error) {
    rmSync(partial, { recursive: true })
    if (!existsSync(folder)) throw error
  }
}
console.log(folder)
