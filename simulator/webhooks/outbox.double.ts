/** A receiver on a real socket, and a world with webhooks that deliver to it, for tests. */
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { onTestFinished } from 'vitest'
import { createTenant } from '../create-tenant.ts'
import type { Tenant, TenantOptions } from '../tenant.ts'
import type { Webhook } from './webhook.ts'

export interface Taken {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly raw: readonly string[]
  readonly body: Buffer
}

/** `silent`: no answer ever. A header list goes out with a status. */
export type Script = number | 'silent' | { status: number; location: string }

export interface Receiver {
  readonly url: string
  readonly taken: readonly Taken[]
  /** Answers one for each request to a path, the last one again and again; without any, 200. */
  script(path: string, ...answers: readonly Script[]): void
  /** Resolves when so many requests have come in all. */
  arrived(count: number): Promise<void>
}

export async function receive(): Promise<Receiver> {
  const taken: Taken[] = []
  const scripts = new Map<string, Script[]>()
  const watchers = new Set<() => void>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { url: path = '', headers, rawHeaders: raw } = request
      taken.push({ path, headers, raw, body: Buffer.concat(chunks) })
      const script = scripts.get(path) ?? []
      const answer = (script.length > 1 ? script.shift() : script[0]) ?? 200
      if (typeof answer === 'number') response.writeHead(answer).end()
      else if (answer !== 'silent') response.writeHead(answer.status, { location: answer.location }).end()
      for (const watch of watchers) watch()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    url: `http://localhost:${port}`,
    taken,
    script: (path, ...answers) => void scripts.set(path, [...answers]),
    arrived: (count) =>
      new Promise((resolve) => {
        const watch = (): void => {
          if (taken.length < count) return
          watchers.delete(watch)
          resolve()
        }
        watchers.add(watch)
        watch()
      }),
  }
}

/** A world whose time stands still. */
export function frozenTenant(options: TenantOptions = {}): Tenant {
  const place = {
    seed: 'outbox',
    url: () => 'http://localhost',
    shared: new Map<string, unknown>(),
    onClose: () => undefined,
  }
  const tenant = createTenant(place, { clock: { mode: 'frozen' }, ...options })
  onTestFinished(() => tenant.close())
  return tenant
}

/** Puts an active webhook of the agent `plain` into a world. */
export function hook(tenant: Tenant, endpointUrl: string, change: Partial<Webhook> = {}): Webhook {
  const { webhooks, clock } = tenant.world
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
