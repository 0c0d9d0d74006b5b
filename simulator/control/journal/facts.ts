/** What the bytes of an entry mean, as far as they say: read on demand, and never noted while a turn runs. */
import type { Identifiers } from '../../../spec/identifiers.ts'
import type { components } from '../../../spec/types/control.ts'
import { headerValues } from '../../edge/reply.ts'
import { isObject, type JsonObject } from '../../json.ts'
import { type JournalEntry, requestBodyJson } from '../../tenant/journal/entry.ts'
import { withoutKeys, withoutWholeKeys } from '../../tenant/redacted.ts'

type Schemas = components['schemas']
type RequestFacts = Pick<Schemas['JournalEntry'], 'operation' | 'agentId' | 'idempotencyKey'>
type ResponseFacts = Pick<Schemas['JournalEntry'], 'outcome' | 'credits' | 'conversationId'>
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
    ...(agent === undefined ? {} : { operation: 'chat', agentId: withoutKeys(agent) }),
    ...(operation === undefined ? {} : { operation: withoutKeys(operation) }),
    ...(key === undefined ? {} : { idempotencyKey: withoutWholeKeys(key) }),
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

function outcomeOf(
  { status, closedBy, responseHeaders }: JournalEntry,
  body: string,
  fields: JsonObject | undefined,
  { replayHeader }: Identifiers,
): Outcome {
  const code = Object.keys(conflicts).find((one) => body.includes(one))
  if (status === 409) return conflicts[code ?? ''] ?? 'refused'
  if (status >= 500 || /^data:.*"type": ?"error"/m.test(body)) return 'failed'
  if (status >= 400) return 'refused'
  if (status === 0 || closedBy !== 'server' || !fields) return 'broken'
  if (headerValues({ headers: responseHeaders }, replayHeader.toLowerCase()).length > 0) return 'replay'
  return fields['customer_message'] === undefined ? 'run' : 'stored-while-paused'
}

/** Of a chat turn that has ended; nothing of another request. `body`: as it is shown. */
export function responseFacts(entry: JournalEntry, body: string, identifiers: Identifiers): ResponseFacts {
  if (entry.closedBy === null || entry.method !== 'POST' || !chatPath.test(entry.path)) return {}
  const fields = finalFieldsIn(body)
  const { credits_used: used, credits_remaining: remaining, conversation_id: conversation } = fields ?? {}
  return {
    outcome: outcomeOf(entry, body, fields, identifiers),
    ...(typeof used === 'number' && typeof remaining === 'number' && { credits: { used, remaining } }),
    ...(isText(conversation) && { conversationId: conversation }),
  }
}
