/** The honest side of a siege: its webhook, its clients, and the audits of what they know. */
import { setTimeout as pause } from 'node:timers/promises'
import { request } from 'undici'
import type { Random } from '../../simulator/tenant/random.ts'
import { createCaller, type Caller } from './call.ts'
import { creditsOf, keepHonest, resendKnown, type HonestOptions } from './honest.ts'
import { createOracle, type Oracle } from './oracle.ts'
import type { Phases } from './phases.ts'
import { openReceiver } from './receiver.ts'
import type { Access } from './tenants.ts'

export interface Garrison extends AsyncDisposable {
  readonly oracle: Oracle
  readonly caller: Caller
  /** Clients send while the work goes on; resolves when all that they began has ended. */
  during(work: () => Promise<void>): Promise<void>
  /** Every request was settled: compares credits and deliveries, and sends some old requests again. */
  audit(): Promise<void>
}

export interface GarrisonOptions {
  readonly urls: readonly string[]
  readonly access: Access
  readonly phases: Phases
  readonly random: Random
  /** What keys begin with. */
  readonly run: string
  readonly clients?: number
  /** How long an audit waits for deliveries; default 40 s, as one that failed twice comes late. */
  readonly waitMs?: number
}

interface Hook {
  readonly id: string
  readonly secret: string
}

async function managed(
  url: string,
  { agent, session: [name, value] }: Access,
  path = '',
  sent?: object,
): Promise<unknown> {
  const { statusCode, body } = await request(`${url}/api/agents/${agent}/webhooks${path}`, {
    method: sent ? 'POST' : 'GET',
    headers: { [name]: value, 'content-type': 'application/json' },
    ...(sent && { body: JSON.stringify(sent) }),
  })
  const read = await body.json()
  if (statusCode < 300) return read
  throw new Error(`webhooks${path} answered ${statusCode} ${JSON.stringify(read)}`)
}

async function hook(url: string, access: Access, endpoint: string): Promise<Hook> {
  const sent = { name: 'honest', endpoint_url: endpoint, events: ['message.sent'] }
  const { id, secret_key: secret } = (await managed(url, access, '', sent)) as {
    id: string
    secret_key: string
  }
  return { id, secret }
}

const failuresMost = 5

/** What the log of the webhook has of failed deliveries: whether one that is missing failed, or is unknown to it. */
async function failuresOf(url: string, access: Access, { id }: Hook): Promise<string> {
  const read = (await managed(url, access, `/${id}/logs`)) as { logs?: readonly { success?: boolean }[] }
  const failed = (read.logs ?? []).filter(({ success }) => success === false)
  return `its log has ${failed.length} failures among ${read.logs?.length ?? 0}: ${JSON.stringify(failed.slice(0, failuresMost))}`
}

const resentAtAudit = 40

export async function openGarrison(options: GarrisonOptions): Promise<Garrison> {
  const { urls, access, phases, random, run, clients = 10, waitMs = 40_000 } = options
  const oracle = createOracle(run)
  const caller = createCaller(phases)
  const receiver = await openReceiver()
  receiver.arrived = (arrival) => oracle.arrived(arrival)
  const [url = ''] = urls
  const webhook = await hook(url, access, receiver.url)
  receiver.secret = webhook.secret
  const honest: HonestOptions = { urls, access, oracle, caller, phases, random }
  const before = await creditsOf(honest)
  return {
    oracle,
    caller,
    during: async (work) => {
      const end = new AbortController()
      const running = Array.from({ length: clients }, () => keepHonest(honest, end.signal))
      await work().finally(() => end.abort())
      await Promise.all(running)
    },
    audit: async () => {
      await resendKnown(honest, resentAtAudit)
      for (let left = waitMs; left > 0 && oracle.missing().length > 0; left -= 100) await pause(100)
      const isMissing = oracle.missing().length > 0
      const why = isMissing ? await failuresOf(url, access, webhook).catch(String) : ''
      oracle.audit(before - (await creditsOf(honest)), why)
    },
    [Symbol.asyncDispose]: async () => {
      await caller.close()
      await receiver[Symbol.asyncDispose]()
    },
  }
}
