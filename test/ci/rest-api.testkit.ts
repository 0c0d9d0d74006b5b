/** The routes for comments of GitHub's REST API, on loopback. */
import { createServer, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export interface PostedComment {
  id: number
  body: string
  html_url: string
  user: { type: 'Bot' | 'User' }
  author_association: string
}

export interface RestApi extends AsyncDisposable {
  url: string
  comments: PostedComment[]
  /** Method and path of each request, without its query. */
  requests: string[]
}

export const comment = (id: number, body: string, type: 'Bot' | 'User'): PostedComment => ({
  id,
  body,
  html_url: `https://github.example/comments/${id}`,
  user: { type },
  author_association: 'NONE',
})

/** Serves pull request 7 of acme/service to whoever has the token of the job; with `readOnly`, writes return 403. */
export async function startRestApi({ readOnly = false } = {}): Promise<RestApi> {
  const comments: PostedComment[] = []
  const requests: string[] = []
  const answer = async (request: IncomingMessage): Promise<[status: number, body: object]> => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://api')
    requests.push(`${request.method} ${pathname}`)
    if (request.headers.authorization !== 'Bearer token-of-the-job') return [401, {}]
    const [, id] = /^\/repos\/acme\/service\/issues\/comments\/(\d+)$/.exec(pathname) ?? []
    if (request.method === 'GET' && pathname === '/repos/acme/service/issues/7/comments') {
      const size = Number(searchParams.get('per_page') ?? 30)
      const start = (Number(searchParams.get('page') ?? 1) - 1) * size
      return [200, comments.slice(start, start + size)]
    }
    if (readOnly) return [403, { message: 'Resource not accessible by integration' }]
    const { body } = JSON.parse(await text(request)) as { body: string }
    const found = comments.find((one) => String(one.id) === id)
    if (request.method === 'PATCH' && found) return [200, Object.assign(found, { body })]
    if (request.method !== 'POST' || pathname !== '/repos/acme/service/issues/7/comments') return [404, {}]
    const posted = comment(comments.length + 1, body, 'Bot')
    comments.push(posted)
    return [201, posted]
  }
  const server = createServer((request, response) => {
    void answer(request).then(([status, body]) => response.writeHead(status).end(JSON.stringify(body)))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    comments,
    requests,
    [Symbol.asyncDispose]: async () => void (await once(server.close(), 'close')),
  }
}
