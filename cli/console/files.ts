/** The files of the console: those in the package, or in a clone those that its sources make. */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { dirname, extname, join } from 'node:path'

export interface ConsoleFile {
  readonly type: string
  readonly bytes: Uint8Array
}

/** By their path below the address of the console, such as `assets/index-1a2b3c.js`; the page is `index.html`. */
export type ConsoleFiles = ReadonlyMap<string, ConsoleFile>

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
}

/** Of the package, or of the clone. */
const root = (): string => dirname(findPackageJSON('..', import.meta.url) ?? import.meta.dirname)

/** Where they are; in a clone they are made again where the sources changed, which takes about a second. */
function folder(): string {
  const packed = join(root(), 'dist/console')
  const script = join(root(), 'scripts/console.ts')
  if (existsSync(packed) || !existsSync(script)) return packed
  return execFileSync(process.execPath, [script], { encoding: 'utf8' }).trim()
}

function readFiles(): ConsoleFiles {
  const from = folder()
  const paths = readdirSync(from, { recursive: true, encoding: 'utf8' }).filter(
    (path) => extname(path) in types,
  )
  return new Map(
    paths.map((path) => [
      path.replaceAll('\\', '/'),
      { type: types[extname(path)] ?? '', bytes: readFileSync(join(from, path)) },
    ]),
  )
}

let files: ConsoleFiles | undefined

/** Reads them once. Throws where the package was installed without them, or the sources cannot be built. */
export const consoleFiles = (): ConsoleFiles => (files ??= readFiles())
