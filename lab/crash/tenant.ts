/** What every process of a run agrees on: the seed of the tenant, and what its agent does. */
import { sessionHeader } from '../../cli/session-header.ts'
import { createSimulator, type ReplyRule, type Tenant } from '../../simulator/index.ts'

export const seed = 'crash'

/** Names that are moved are asked of the run, from every process. */
export const targets = { zones: { 'moving.example': '127.0.0.1:29053' } }

/** Long enough for some turns to be under way whenever the process dies. */
export const replyRule: ReplyRule = {
  match: { agent: 'plain' },
  reply: { text: 'You said: {message}', delayMs: 2, tokenDelayMs: 1 },
}

export interface Ids extends Pick<Tenant, 'id' | 'keys' | 'agents'> {
  /** The header of a signed-in user. */
  readonly session: readonly [name: string, value: string]
  /** Id of the account that pays. */
  readonly account: string
}

/** Keys and ids follow from the seed, so that a tenant of our own reveals them. */
export async function idsOfSeed(): Promise<Ids> {
  await using simulator = await createSimulator({ seed })
  const { id, keys, agents, state } = simulator.tenant
  const account = state.apiKeys.get(keys.main)?.account ?? ''
  return { id, keys, agents, session: sessionHeader(simulator.tenant), account }
}
