/** Load on one or more replicas over a store, and `kill -9` of one of them at moments that a seed chooses. */
import { setTimeout as pause } from 'node:timers/promises'
import { request } from 'undici'
import { isObject } from '../../simulator/json.ts'
import { createRandom, type Random } from '../../simulator/tenant/random.ts'
import { keepSending, settle, type ClientOptions } from './client.ts'
import { openEndpoint, type Endpoint } from './endpoint.ts'
import { createRecord } from './record.ts'
import { startReplica, type Replica } from './replica.ts'
import { judge, missing, type Outcome } from './verdict.ts'
import { idsOfSeed, type Ids } from './tenant.ts'

export interface CrashOptions {
  /** As `openStore` takes it. */
  readonly store: string
  readonly kills: number
  readonly seed: string
  /** Default 1. */
  readonly replicas?: number
  /** Clients that send at once. Default 12. */
  readonly clients?: number
  /** Load between two kills, in ms: up to so much, drawn. Default 400. */
  readonly loadMs?: number
  /** A base address before the replicas, such as that of a load balancer, for those of the replicas. */
  readonly front?: (replicas: readonly string[]) => Promise<string>
  /** Looks at the replicas once all is over, such as the suites do, and says what is wrong. */
  readonly afterwards?: (urls: readonly string[]) => Promise<readonly string[]>
}

/** Asks until the answer is there: a replica that has just started may wait for a lease to end. */
async function asked(url: string, init: Parameters<typeof request>[1], most = 200): Promise<unknown> {
  for (let left = most; ; left--) {
    const answer = await request(url, init)
    const text = await answer.body.text()
    if (answer.statusCode < 300) return text === '' ? null : JSON.parse(text)
    if (answer.statusCode !== 503 || left === 0)
      throw new Error(`${url} answered ${answer.statusCode}: ${text}`)
    await pause(50)
  }
}

async function hook(url: string, { agents, session: [name, value] }: Ids, endpoint: Endpoint): Promise<void> {
  await asked(`${url}/api/agents/${agents.plain}/webhooks`, {
    method: 'POST',
    headers: { [name]: value, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'crash', endpoint_url: endpoint.url, events: ['message.sent'] }),
  })
}

/** What the main account has, in credits. */
async function credits(url: string, { id, account }: Ids): Promise<number> {
  const tenant = await asked(`${url}/_sim/v1/tenants/${id}`, {})
  const accounts = isObject(tenant) ? tenant['accounts'] : undefined
  const main = Array.isArray(accounts)
    ? accounts.find((one) => isObject(one) && one['id'] === account)
    : undefined
  if (isObject(main) && typeof main['credits'] === 'number') return main['credits']
  throw new Error(`The control plane reports no credits of ${account}.`)
}

async function killAndStart(replica: Replica | undefined): Promise<void> {
  await replica?.kill()
  await replica?.start()
}

async function underLoad(
  options: ClientOptions,
  clientCount: number,
  work: () => Promise<void>,
): Promise<void> {
  const end = new AbortController()
  const clients = Array.from({ length: clientCount }, () => keepSending(options, end.signal))
  await work()
  end.abort()
  await Promise.all(clients)
}

async function arrivals(evidence: Parameters<typeof missing>[0], tries = 200): Promise<void> {
  for (let left = tries; left > 0 && missing(evidence).length > 0; left--) await pause(100)
}

const drawn = (random: Random, most: number): number => 20 + random.below(most)

export async function crash(options: CrashOptions): Promise<Outcome> {
  const { store, kills, seed, replicas: count = 1, clients = 12, loadMs = 400, front, afterwards } = options
  const random = createRandom(seed)
  const ids = await idsOfSeed()
  await using endpoint = await openEndpoint('x-service-delivery-id')
  const replicas = await Promise.all(Array.from({ length: count }, () => startReplica(store)))
  try {
    const own = replicas.map(({ url }) => url)
    const urls = front ? [await front(own)] : own
    const [url = ''] = urls
    await hook(url, ids, endpoint)
    const before = await credits(url, ids)
    const record = createRecord()
    const load: ClientOptions = { urls, ids, record, random: random.fork('load') }
    await underLoad(load, clients, async () => {
      for (let kill = 0; kill < kills; kill++) {
        await pause(drawn(random, loadMs))
        await killAndStart(replicas[random.below(replicas.length)])
      }
      await pause(drawn(random, loadMs))
    })
    const open = await settle(load)
    await arrivals({ record, endpoint })
    const spent = before - (await credits(url, ids))
    const outcome = judge({ record, open, endpoint, spent })
    if (!afterwards) return outcome
    await Promise.all(replicas.map((replica) => replica.end().then(() => replica.start('judged'))))
    return { ...outcome, broken: [...outcome.broken, ...(await afterwards(urls))] }
  } finally {
    await Promise.all(replicas.map((replica) => replica.kill()))
  }
}
