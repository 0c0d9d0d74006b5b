/** Serves the console: a page and what it loads, without anything of a tenant, so that no token is asked for. */
import type { BytesReply, HeaderLine } from '../../simulator/server/reply.ts'
import type { ServerRoute } from '../../simulator/server/route.ts'
import { safeHeaders } from '../../simulator/server/safe-headers.ts'
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { dirname, extname, join } from 'node:path'

export const consolePath = '/_sim/'

/** Scripts, styles and requests of this origin only; no text becomes markup. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

export const pageHeaders: readonly HeaderLine[] = [
  ...safeHeaders.filter(([name]) => name !== 'Content-Security-Policy'),
  ['Content-Security-Policy', policy],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
]

const about = { operation: 'console' } as const

function fileReply(path: string): BytesReply {
  const file = consoleFiles().get(path)
  const reply = (status: number, type: string, bytes: Uint8Array): BytesReply => ({
    kind: 'bytes',
    status,
    headers: [...pageHeaders, ['Content-Type', type], ['Content-Length', String(bytes.length)]],
    chunks: [bytes],
    about,
  })
  return file
    ? reply(200, file.type, file.bytes)
    : reply(
        404,
        'text/plain; charset=utf-8',
        Buffer.from('The console has no such file: load the page again.\n'),
      )
}

export const consoleRoutes: readonly ServerRoute[] = [
  { method: 'GET', path: consolePath, handle: () => fileReply('index.html') },
  {
    method: 'GET',
    path: `${consolePath}assets/:file`,
    handle: ({ params }) => fileReply(`assets/${params['file']}`),
  },
]

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
