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

async function hook(
  url: string,
  { agent, session: [name, value] }: Access,
  endpoint: string,
): Promise<string> {
  const { statusCode, body } = await request(`${url}/api/agents/${agent}/webhooks`, {
    method: 'POST',
    headers: { [name]: value, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'honest', endpoint_url: endpoint, events: ['message.sent'] }),
  })
  const made = (await body.json()) as { secret_key?: string }
  if (made.secret_key !== undefined) return made.secret_key
  throw new Error(`the webhook could not be created: ${statusCode} ${JSON.stringify(made)}`)
}

const resentAtAudit = 40

export async function openGarrison(options: GarrisonOptions): Promise<Garrison> {
  const { urls, access, phases, random, run, clients = 10, waitMs = 40_000 } = options
  const oracle = createOracle(run)
  const caller = createCaller(phases)
  const receiver = await openReceiver()
  receiver.arrived = (arrival) => oracle.arrived(arrival)
  receiver.secret = await hook(urls[0] ?? '', access, receiver.url)
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
      oracle.audit(before - (await creditsOf(honest)))
    },
    [Symbol.asyncDispose]: async () => {
      await caller.close()
      await receiver[Symbol.asyncDispose]()
    },
  }
}
