/** A folder of files over HTTP, on loopback. */
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, normalize } from 'node:path'

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

export interface ServedFolder {
  readonly url: string
  close(): Promise<void>
}

export async function serveFolder(folder: string, base: string): Promise<ServedFolder> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site')
    const path = normalize(decodeURIComponent(pathname)).slice(base.length)
    const name = path === '' || path.endsWith('/') ? join(path, 'index.html') : path
    readFile(join(folder, name)).then(
      (bytes) => response.setHeader('content-type', types[extname(name)] ?? 'text/plain').end(bytes),
      () => response.writeHead(404).end(),
    )
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
