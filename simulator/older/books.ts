/** What a tenant has for the older variant: its keys, and what was said. */
import type { Book, Remember } from '../tenant/book.ts'
import { type Conversation, conversationKey } from '../tenant/conversations.ts'
import type { Account } from '../tenant/credits.ts'
import type { Agent, ApiKey } from '../tenant/principals.ts'
import type { Random } from '../tenant/random.ts'
import { fixedLimits, type Retention } from '../limits.ts'

interface Utterance {
  readonly role: 'user' | 'assistant'
  readonly content: string
  /** Milliseconds since 1970. */
  readonly at: number
}

/** What was said in a conversation over the older routes. */
export interface History {
  readonly id: string
  readonly agent: string
  readonly account: string
  readonly createdAt: number
  readonly said: Utterance[]
}

export interface OlderBooks {
  /** By token. */
  readonly apiKeys: Map<string, ApiKey>
  /** By account, agent and id, as conversations are. */
  readonly histories: Book<History>
}

/** What they stand on. */
interface Ground {
  readonly agents: Map<string, Agent>
  readonly accounts: Map<string, Account>
  readonly remember: Remember
  readonly retention: Retention
}

/** One key for each agent, called by its role. */
export function createOlderBooks(
  random: Random,
  { agents, accounts, remember, retention }: Ground,
): OlderBooks {
  const made = [...agents.values()].map(({ id, name, accounts: [account = ''] }): ApiKey => ({
    token: `ak_${random.word(40)}`,
    name: `older-${name}`,
    account: accounts.get(account)?.id ?? account,
    scopes: ['chat'],
    agent: id,
    revoked: false,
  }))
  const histories = remember<History>('history', retention.histories, {
    order: 'used',
    sizeOf: ({ said }) => charactersOf(said),
  })
  return {
    apiKeys: new Map(made.map((apiKey) => [apiKey.token, apiKey])),
    histories,
  }
}

const charactersOf = (said: readonly Utterance[]): number =>
  said.reduce((sum, { content }) => sum + content.length, 0)

/** Adds to what was said in a conversation. */
export function addToHistory(
  { histories }: OlderBooks,
  conversation: Conversation,
  said: readonly Utterance[],
): void {
  const place = conversationKey(conversation)
  const { id, agent, account } = conversation
  const known = histories.get(place) ?? { id, agent, account, createdAt: said[0]?.at ?? 0, said: [] }
  known.said.push(...said)
  known.said.splice(0, Math.max(0, known.said.length - fixedLimits.saidMessages))
  for (let over = charactersOf(known.said) - fixedLimits.saidCharacters; over > 0 && known.said.length > 1;)
    over -= known.said.shift()?.content.length ?? 0
  histories.set(place, known)
}
