/** A receiver on a real socket, and tenants with webhooks that deliver to it, for tests. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { onTestFinished } from 'vitest'
import { createTenant } from '../create-tenant.ts'
import type { Tenant, TenantOptions } from '../tenant-handle.ts'
import type { Webhook } from '../tenant/webhooks/webhook.ts'

export interface Taken {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** Names and values in turn, as they came. */
  readonly raw: readonly string[]
  readonly body: Buffer
}

/** `silent`: no answer ever. `hold`: not before `release`. `cut`: the socket is dropped. A text: a redirect to it. */
export type Script = number | 'silent' | 'hold' | 'cut' | { readonly to: string }

export interface Receiver {
  readonly url: string
  readonly taken: readonly Taken[]
  /** One answer for each request to a path, the last one again and again; without any, 200. */
  script(path: string, ...answers: readonly Script[]): void
  /** Answers what `hold` keeps, and whatever comes from now on. */
  release(status: number): void
  /** Resolves when so many requests have come in all. */
  arrived(count: number): Promise<void>
  /** Resolves when so many senders went away before they were answered. */
  left(count: number): Promise<void>
}

function answerWith(response: ServerResponse, script: Script, held: ServerResponse[]): void {
  if (script === 'hold') held.push(response)
  else if (script === 'cut') response.destroy()
  else if (typeof script === 'object') response.writeHead(307, { location: script.to }).end()
  else if (typeof script === 'number') response.writeHead(script).end()
}

/** Lets somebody wait until a number has been reached. */
function createTally() {
  const watchers = new Set<() => void>()
  let count = 0
  return {
    add: () => {
      count++
      for (const watch of watchers) watch()
    },
    reached: (goal: number): Promise<void> =>
      new Promise((resolve) => {
        const watch = (): void => {
          if (count < goal) return
          watchers.delete(watch)
          resolve()
        }
        watchers.add(watch)
        watch()
      }),
  }
}

export async function receive(): Promise<Receiver> {
  const taken: Taken[] = []
  const scripts = new Map<string, Script[]>()
  const held: ServerResponse[] = []
  const [came, went] = [createTally(), createTally()]
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    response.on('close', () => response.writableEnded || went.add())
    request.on('end', () => {
      const { method = '', url: path = '', headers, rawHeaders: raw } = request
      taken.push({ method, path, headers, raw, body: Buffer.concat(chunks) })
      const script = scripts.get(path) ?? []
      answerWith(response, (script.length > 1 ? script.shift() : script[0]) ?? 200, held)
      came.add()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  return {
    url: `http://localhost:${typeof address === 'object' && address ? address.port : 0}`,
    taken,
    script: (path, ...answers) => void scripts.set(path, [...answers]),
    release: (status) => {
      scripts.clear()
      for (const response of held.splice(0)) response.writeHead(status).end()
    },
    arrived: came.reached,
    left: went.reached,
  }
}

/** A tenant whose time stands still. */
export function frozenTenant(options: TenantOptions = {}): Tenant {
  const tenant = createTenant(
    { seed: 'outbox', url: () => 'http://localhost', shared: new Map(), onClose: () => undefined },
    { clock: { mode: 'frozen' }, ...options },
  )
  onTestFinished(() => tenant.close())
  return tenant
}

/** Puts an active webhook of the agent `plain` into a tenant. */
export function hook(tenant: Tenant, endpointUrl: string, change: Partial<Webhook> = {}): Webhook {
  const { webhooks, clock } = tenant.state
  const webhook: Webhook = {
    id: `wh_${webhooks.size + 1}`,
    agent: tenant.agents.plain,
    name: 'Test',
    endpointUrl,
    events: ['leads.submit', 'message.sent', 'tool.executed'],
    description: null,
    customHeaders: [],
    isActive: true,
    secret: `whsec_sécrèt_${webhooks.size + 1}`,
    createdAt: clock.now(),
    ...change,
  }
  webhooks.set(webhook.id, webhook)
  return webhook
}
