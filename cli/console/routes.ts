/** Serves the console: a page and what it loads, without anything of a tenant, so that no token is asked for. */
import type { BytesReply, HeaderLine } from '../../simulator/server/reply.ts'
import type { ServerRoute } from '../../simulator/server/route.ts'
import { safeHeaders } from '../../simulator/server/safe-headers.ts'
import { consoleFiles } from './files.ts'

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
