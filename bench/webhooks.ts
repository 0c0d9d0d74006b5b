/** Webhooks of a simulator, as a signed-in user makes them. */
import { request } from 'undici'

export interface Access {
  url: string
  agent: string
  session: string
}

export async function createWebhook(
  { url, agent, session }: Access,
  endpoint: string,
  events: readonly string[] = ['leads.submit'],
): Promise<{ remove: () => Promise<void> }> {
  const collection = `${url}/api/agents/${agent}/webhooks`
  const headers = { cookie: `session=${session}`, 'content-type': 'application/json' }
  const wish = { name: 'bench', endpoint_url: endpoint, events }
  const created = await request(collection, { method: 'POST', headers, body: JSON.stringify(wish) })
  const { id } = (await created.body.json()) as { id?: string }
  if (id === undefined) throw new Error(`a webhook was refused with ${created.statusCode}`)
  return {
    async remove() {
      const removed = await request(`${collection}/${id}`, { method: 'DELETE', headers })
      await removed.body.dump()
    },
  }
}
