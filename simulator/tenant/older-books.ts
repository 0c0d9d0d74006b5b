/** What a tenant has for the older variant: its keys, and what was said. */
import type { Remember } from './book.ts'
import { type Conversation, conversationKey, type Account } from './conversations.ts'
import type { Agent, ApiKey } from './principals.ts'
import type { Random } from './random.ts'
import { fixedLimits, type Retention } from '../limits.ts'

interface Utterance {
  readonly role: 'user' | 'assistant'
  readonly content: string
  /** Milliseconds since 1970. */
  readonly at: number
}

type History = Pick<Conversation, 'id' | 'agent' | 'account'> & {
  readonly createdAt: number
  readonly said: Utterance[]
}

export type OlderBooks = ReturnType<typeof createOlderBooks>

/** One key for each agent, called by its role. */
export function createOlderBooks(
  random: Random,
  tenant: {
    agents: Map<string, Agent>
    accounts: Map<string, Account>
    remember: Remember
    retention: Retention
  },
) {
  const apiKeys = new Map<string, ApiKey>()
  for (const { id, name, accounts } of tenant.agents.values()) {
    const [role = ''] = accounts
    const account = tenant.accounts.get(role)?.id ?? role
    const token = `ak_${random.word(40)}`
    apiKeys.set(token, { token, name: `older-${name}`, account, scopes: ['chat'], agent: id, revoked: false })
  }
  const { remember, retention } = tenant
  const how = { order: 'used', sizeOf: charactersOf } as const
  return { apiKeys, histories: remember<History>('history', retention.histories, how) }
}

const charactersOf = ({ said }: History): number => said.reduce((sum, { content }) => sum + content.length, 0)

export function addToHistory(
  books: OlderBooks,
  conversation: Conversation,
  said: readonly Utterance[],
): void {
  const place = conversationKey(conversation)
  const { id, agent, account } = conversation
  const known = books.histories.get(place) ?? { id, agent, account, createdAt: said[0]?.at ?? 0, said: [] }
  known.said.push(...said)
  known.said.splice(0, Math.max(0, known.said.length - fixedLimits.saidMessages))
  for (let over = charactersOf(known) - fixedLimits.saidCharacters; over > 0 && known.said.length > 1;)
    over -= known.said.shift()?.content.length ?? 0
  books.histories.set(place, known)
}
