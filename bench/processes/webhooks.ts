/** Creates webhooks of a simulator with a session cookie. */
import { request } from 'undici'

export interface WebhookAccess {
  url: string
  agent: string
  session: string
}

export async function createWebhook(
  { url, agent, session }: WebhookAccess,
  endpoint: string,
  events: readonly string[] = ['leads.submit'],
): Promise<{ remove: () => Promise<void> }> {
  const collection = `${url}/api/agents/${agent}/webhooks`
  const headers = { cookie: `session=${session}`, 'content-type': 'application/json' }
  const body = { name: 'bench', endpoint_url: endpoint, events }
  const created = await request(collection, { method: 'POST', headers, body: JSON.stringify(body) })
  const { id } = (await created.body.json()) as { id?: string }
  if (id === undefined) throw new Error(`could not create a webhook: status ${created.statusCode}`)
  return {
    async remove() {
      const removed = await request(`${collection}/${id}`, { method: 'DELETE', headers })
      await removed.body.dump()
    },
  }
}
