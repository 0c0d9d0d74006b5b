/** What a run sends to a target that is declared read-only: reads, declared operations that read, and chat turns. */
import type { Target } from '../../config/target.ts'
import type { SentRequest } from '../../wire/exchange.ts'
import { notExercised, type ScenarioEnded } from '../../scenario/ending.ts'
import type { Needs } from '../../scenario/scenario.ts'

type Declared = Pick<Target, 'readOnly' | 'fixtures'>

const remedy = 'take out `readOnly` to allow that'

/** Why a scenario with such needs does not run on a read-only target, or null. */
export function barredByReadOnly(needs: Needs, { readOnly }: Pick<Target, 'readOnly'>): ScenarioEnded | null {
  if (!readOnly) return null
  const found = writing.find(({ is }) => is(needs))
  return found ? readOnlyEnds(found.words) : null
}

export function readOnlyEnds(words: string): ScenarioEnded {
  return notExercised('opt-in-required', `the target is read-only, and it ${words}; ${remedy}`)
}

const writing: readonly { is: (needs: Needs) => boolean; words: string }[] = [
  {
    is: ({ session, receiver, event }) => Boolean(session ?? receiver ?? event),
    words: 'creates webhooks',
  },
  {
    is: ({ optIn = [], operation }) => optIn.includes('writes') || operation?.write === true,
    words: 'writes',
  },
  { is: ({ optIn = [] }) => optIn.includes('destructive'), words: 'is destructive' },
]

/** Why a request is never sent to a read-only target, or null: the last word, whatever a scenario asks for. */
export function refusedByReadOnly(
  { method, path }: Pick<SentRequest, 'method' | 'path'>,
  { readOnly, fixtures }: Declared,
): string | null {
  if (!readOnly || method === 'GET' || method === 'HEAD') return null
  if (method === 'POST' && (isChat.test(path) || isRead(path, fixtures))) return null
  return `not sent, because the target is read-only: ${method} ${path}`
}

const isChat = /^\/api\/v1\/chat\/|^\/v1\/agents\/[^/]+\/chat$/

function isRead(path: string, { operations }: Target['fixtures']): boolean {
  const [, written] = /^\/api\/v1\/operation-executions\/([^/?]+)$/.exec(path) ?? []
  if (written === undefined) return false
  const id = decodeURIComponent(written)
  const declared = operations.filter((operation) => operation.id === id)
  return declared.length > 0 ? declared.every(({ write }) => !write) : harmless(id)
}

/** What the contract itself names and only reads, and ids of ours that no service has. */
const readsOfContract: readonly string[] = ['agent_setup.inspect']

/** Begins ids of ours that no service has. */
export const nowhere = 'touchstone.'

/** In whatever letters: an id of the contract that is not taken as it is leads nowhere. */
export const harmless = (id: string): boolean =>
  readsOfContract.includes(id.toLowerCase()) || id.startsWith(nowhere)
