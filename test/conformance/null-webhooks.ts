/** Servers that manage webhooks as they should, and deliver nothing of what they are asked for. */
import { randomUUID } from 'node:crypto'
import type { RequestListener } from 'node:http'
import { text } from 'node:stream/consumers'

interface Hook {
  readonly [member: string]: unknown
  readonly endpoint_url?: string
}

export interface NullWebhooks {
  listener: RequestListener
  /** Something happens: every webhook gets the same POST, whatever it has selected. */
  happen: () => Promise<void>
}

export const nullSession = ['Cookie', 'session=of-nobody'] as const

const route = /^\/api\/agents\/([^/]+)\/webhooks(?:\/([^/]+))?(\/test|\/logs)?$/

/** `headers`: those of every delivery; null: none is ever made. */
export function nullWebhooks(headers: Readonly<Record<string, string>> | null): NullWebhooks {
  const hooks = new Map<string, Hook>()

  async function deliver({ endpoint_url: url }: Hook): Promise<void> {
    if (headers === null || !url?.startsWith('http://localhost')) return
    const body = '{"eventType":"leads.submit","payload":{}}'
    await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(500) }).catch(
      () => undefined,
    )
  }

  function manage(method: string, id: string, more: string, fields: Hook): [status: number, body: object] {
    if (id === '' && method === 'GET') {
      const webhooks = [...hooks].map(([known, hook]) => ({ ...hook, id: known }))
      return [200, { webhooks }]
    }
    if (id === '' && method === 'POST') {
      const made = randomUUID()
      const listed = { is_active: true, created_at: new Date().toISOString(), secret_key_preview: '****' }
      hooks.set(made, { ...fields, ...listed })
      return [201, { id: made, secret_key: randomUUID() }]
    }
    const hook = hooks.get(id)
    if (!hook) return [404, { error: 'no such webhook' }]
    if (more === '/logs') return [200, { logs: [] }]
    if (more === '/test') void deliver(hook)
    if (method === 'PATCH') hooks.set(id, { ...hook, ...fields })
    if (method === 'DELETE') hooks.delete(id)
    return [200, {}]
  }

  return {
    async listener(request, response) {
      const sent = await text(request)
      const [, , id = '', more = ''] = route.exec(request.url ?? '') ?? []
      const known = route.test(request.url ?? '')
      const [status, body] = !known
        ? [404, { error: 'nothing here' }]
        : request.headers.cookie !== nullSession[1]
          ? [401, { error: 'nobody is signed in' }]
          : manage(request.method ?? '', id, more, sent === '' ? {} : (JSON.parse(sent) as Hook))
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    },
    happen: async () => void (await Promise.all([...hooks.values()].map(deliver))),
  }
}
