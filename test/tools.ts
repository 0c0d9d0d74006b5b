/** The packages that only one experiment needs, installed on first use: `npm ci` of the project stays small without them. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'

const root = join(import.meta.dirname, '..')
const cache = join(root, 'node_modules/.cache/touchstone-tools')

/**
 * Installs what `folder` locks (a package.json and its package-lock.json), unless it is there already; returns the folder
 * with its node_modules. Throws if npm cannot install it.
 */
export function installTools(folder: string): string {
  const digest = createHash('sha256').update(readFileSync(join(folder, 'package-lock.json')))
  const name = `${basename(dirname(folder))}-${basename(folder)}-${digest.digest('hex').slice(0, 12)}`
  const installed = join(cache, name)
  if (existsSync(installed)) return installed
  const shown = relative(root, folder)
  console.error(`installing the packages of ${shown}`)
  const unfinished = `${installed}.${process.pid}`
  mkdirSync(unfinished, { recursive: true })
  for (const file of ['package.json', 'package-lock.json'])
    copyFileSync(join(folder, file), join(unfinished, file))
  const words = ['ci', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel', 'error']
  const { status } = spawnSync('npm', words, { cwd: unfinished, stdio: ['ignore', 'inherit', 'inherit'] })
  if (status !== 0) throw new Error(`npm ci of ${shown} ended with ${status}`)
  renameSync(unfinished, installed)
  return installed
}

/** Imports a module of the tools that are installed in `installed`. */
export function importTool(installed: string, name: string): Promise<unknown> {
  return import(pathToFileURL(createRequire(join(installed, 'package.json')).resolve(name)).href)
}
