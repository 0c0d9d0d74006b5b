/** The webhook half of a small service for tests of the engine: it makes, lists, removes and delivers. */
import { request } from 'undici'
import type { Answer } from '../service.testkit.ts'

export interface Ask {
  method: string
  path: string
  body: string
}

export interface WebhookDouble {
  /** To be given to `serviceDouble`. */
  answer(ask: Ask): Answer | null
  /** What is there: endpoint by webhook id. */
  readonly hooks: Map<string, string>
  /** Delivers to every webhook; resolves with the response statuses, 0 for none. */
  deliver(body?: string): Promise<readonly number[]>
}

export function webhookDouble(): WebhookDouble {
  const hooks = new Map<string, string>()
  let made = 0
  return {
    hooks,
    answer({ method, path, body }) {
      const [, id] = /^\/api\/agents\/[^/]+\/webhooks(?:\/([^/]+))?$/.exec(path) ?? []
      if (!path.startsWith('/api/agents/')) return null
      if (method === 'POST') {
        const { endpoint_url } = JSON.parse(body) as { endpoint_url: string }
        hooks.set(`wh_${++made}`, endpoint_url)
        return { status: 201, body: { id: `wh_${made}`, secret_key: 'whsec_double' } }
      }
      if (method === 'DELETE') return { status: hooks.delete(id ?? '') ? 200 : 404, body: {} }
      return { status: 200, body: { webhooks: [...hooks.keys()].map((one) => ({ id: one })) } }
    },
    deliver: (body = '{}') => Promise.all([...hooks.values()].map((url) => post(url, body))),
  }
}

async function post(url: string, body: string): Promise<number> {
  try {
    const answer = await request(url, { method: 'POST', body, headers: { 'x-service-event': 'test' } })
    await answer.body.dump()
    return answer.statusCode
  } catch {
    return 0
  }
}
