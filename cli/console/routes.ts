/** Serves the console: a page and what it loads, without anything of a tenant, so that no token is asked for. */
import { type BytesReply, type HeaderLine, safeHeaders } from '../../simulator/edge/reply.ts'
import type { ServerRoute } from '../../simulator/route.ts'
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'

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

const missing = {
  type: 'text/plain; charset=utf-8',
  bytes: Buffer.from('The console has no such file: load the page again.\n'),
}

function fileReply(path: string): BytesReply {
  const file = consoleFiles().get(path)
  const { type, bytes } = file ?? missing
  const headers: readonly HeaderLine[] = [
    ...pageHeaders,
    ['Content-Type', type],
    ['Content-Length', String(bytes.length)],
  ]
  return {
    kind: 'bytes',
    status: file ? 200 : 404,
    headers,
    chunks: [bytes],
    about: { operation: 'console' },
  }
}

export const consoleRoutes: readonly ServerRoute[] = [
  { method: 'GET', path: consolePath, handle: () => fileReply('index.html') },
  {
    method: 'GET',
    path: `${consolePath}assets/:file`,
    handle: ({ params }) => fileReply(`assets/${params['file']}`),
  },
]

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
}

/** In a clone they are made again where the sources changed, which takes about a second. */
function readFiles() {
  // Of the package, whose code is in dist/chunks, or of the clone.
  const root = join(import.meta.dirname, '../..')
  const [packed, script] = [join(root, 'dist/console'), join(root, 'scripts/console.ts')]
  const isPacked = existsSync(packed) || !existsSync(script)
  const from = isPacked ? packed : execFileSync(process.execPath, [script], { encoding: 'utf8' }).trim()
  const paths = readdirSync(from, { recursive: true, encoding: 'utf8' })
  return new Map(
    paths.flatMap((path) => {
      const type = types[extname(path)]
      return type ? [[path.replaceAll('\\', '/'), { type, bytes: readFileSync(join(from, path)) }]] : []
    }),
  )
}

let files: ReturnType<typeof readFiles> | undefined

/**
 * By their path below the address of the console, such as `assets/index-1a2b3c.js`; the page is `index.html`. Reads them
 * once. Throws where the package was installed without them, or the sources cannot be built.
 */
export const consoleFiles = () => (files ??= readFiles())
