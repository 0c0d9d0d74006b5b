/** What the bytes of an entry mean, as far as they say: read on demand, and never noted while a turn runs. */
import type { components } from '../../../spec/types/control.ts'
import { headerValues } from '../../edge/reply.ts'
import { isObject, type JsonObject } from '../../json.ts'
import { shownCredits } from '../../tenant/conversations.ts'
import { type JournalEntry, requestBodyJson } from '../../tenant/journal/entry.ts'
import { withoutKeys, withoutWholeKeys } from '../../tenant/redacted.ts'

type Schemas = components['schemas']
type RequestFacts = Pick<Schemas['JournalEntry'], 'operation' | 'agentId' | 'idempotencyKey'>
type ResponseFacts = Pick<
  Schemas['JournalEntry'],
  'outcome' | 'turn' | 'credits' | 'conversationId' | 'faults' | 'networkFaults'
>
type Outcome = Schemas['TurnOutcome']

const chatPath = /^\/api\/v1\/chat\/([^/?]+)/
const executionPath = /^\/api\/v1\/operation-executions\/([^/?]+)/

const isText = (value: unknown): value is string => typeof value === 'string'

function keyOf(entry: JournalEntry): string | undefined {
  const body = requestBodyJson(entry)
  const member = isObject(body) ? body['idempotency_key'] : undefined
  const headers = ['idempotency-key', 'x-idempotency-key'].flatMap((name) => headerValues(entry, name))
  return [member, ...headers].find(isText)
}

export function requestFacts(entry: JournalEntry): RequestFacts {
  const [, agent] = chatPath.exec(entry.path) ?? []
  const [, operation] = executionPath.exec(entry.path) ?? []
  const key = keyOf(entry)
  return {
    operation: agent === undefined ? operation && withoutKeys(operation) : 'chat',
    agentId: agent && withoutKeys(agent),
    idempotencyKey: key && withoutWholeKeys(key),
  }
}

const conflicts: Readonly<Record<string, Outcome>> = {
  REQUEST_IN_PROGRESS: 'in-flight',
  IDEMPOTENCY_CONFLICT: 'conflict',
  OUTCOME_UNCERTAIN: 'uncertain',
  AI_REPLY_PAUSED: 'paused',
  WORKFLOW_INTERACTION_STALE: 'stale',
}

/** The final fields of a reply: those of the JSON body, or of the `done` event. */
function finalFieldsIn(body: string): JsonObject | undefined {
  const last = body.includes('"done"')
    ? body.split(/\r\n|\r|\n/).findLast((line) => /^data:.*"done"/.test(line))
    : undefined
  try {
    const fields: unknown = JSON.parse(last?.replace(/^data: ?/, '') ?? body)
    return isObject(fields) ? fields : undefined
  } catch {
    return undefined
  }
}

function outcomeOf({ status, closedBy, turn }: JournalEntry, body: string, hasFields: boolean): Outcome {
  if (status === 0) return 'broken'
  const conflict = conflicts[turn.code]
  if (conflict) return conflict
  if (status >= 500 || /^data:.*"type": ?"error"/m.test(body)) return 'failed'
  if (status >= 400) return 'refused'
  if (closedBy !== 'server' || !hasFields) return 'broken'
  return turn.is === 'none' ? 'refused' : turn.is
}

/** Of a request that has ended; what became of a turn only of a chat request. `body`: as it is shown. */
export function responseFacts(entry: JournalEntry, body: string): ResponseFacts {
  const { closedBy, method, path, turn, faults, networkFaults } = entry
  if (closedBy === null) return {}
  // The body of one may be anything.
  const applied = withoutKeys(JSON.stringify(networkFaults))
  const active = {
    faults: [...faults],
    networkFaults: JSON.parse(applied) as ResponseFacts['networkFaults'] & object,
  }
  if (method !== 'POST' || !chatPath.test(path)) return active
  const fields = finalFieldsIn(body)
  const { credits_used: used, credits_remaining: remaining, conversation_id: conversation } = fields ?? {}
  return {
    ...active,
    outcome: outcomeOf(entry, body, fields !== undefined),
    turn: { is: turn.is, charged: turn.charged === null ? null : shownCredits(turn.charged) },
    ...(typeof used === 'number' && typeof remaining === 'number' && { credits: { used, remaining } }),
    ...(isText(conversation) && { conversationId: conversation }),
  }
}
