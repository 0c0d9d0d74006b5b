/** Converts recorded turns, in the order of their requests, to reply rules. */
import type { ReplyRule } from '../../simulator/index.ts'
import { headerOf, parseTurn, type TurnResponse, type RecordedTurn } from './turn-response.ts'
import { textOf } from './json.ts'
import { isObject } from '../../spec/json.ts'
import { cannedReply } from './canned-reply.ts'

/** A reply rule with notes, or without a rule the reason. */
export interface Row {
  rule: ReplyRule | null
  notes: readonly string[]
}

/** Turns and button presses so far, by conversation. */
type Positions = Map<string, { turns: number; presses: number }>

interface RowOptions {
  /** Record delays. */
  timing: boolean
  /** The header of a replay. */
  replayHeader: string
}

export function rowsOf(turns: readonly RecordedTurn[], options: RowOptions): readonly Row[] {
  const positions: Positions = new Map()
  const rows = turns.map((turn) => rowOf(turn, positions, options))
  return withoutRetried(rows)
}

function rowOf(turn: RecordedTurn, positions: Positions, { timing, replayHeader }: RowOptions): Row {
  const { request, response, sentAt } = turn
  const reason = reasonToSkip(turn, replayHeader)
  if (reason !== null) return { rule: null, notes: [`Turn left out: ${reason}.`] }
  const parsed = parseTurn(turn)
  const conversation = textOf(parsed.reply?.['conversation_id']) ?? textOf(request['conversation_id']) ?? ''
  const before = positions.get(conversation) ?? { turns: 0, presses: 0 }
  const presses = isObject(request['interaction']) ? before.presses + 1 : 0
  if (parsed.reply) positions.set(conversation, { turns: before.turns + 1, presses })
  if (isObject(parsed.reply?.['customer_message']))
    return {
      rule: null,
      notes: [
        'Turn left out: its message was stored while AI replies were paused. Pause the agent of the simulator instead.',
      ],
    }
  const missing = incomplete(parsed)
  if (missing !== null) return { rule: null, notes: [`Turn left out: ${missing}.`] }
  const { reply, notes } = cannedReply(parsed, timing ? sentAt : null)
  const match = {
    message: textOf(request['message']) ?? '',
    nth: before.turns + 1,
    ...(presses > 0 && { pressed: presses }),
  }
  return { rule: { match, reply }, notes: [...notes, ...templates(reply), ...cut(response.complete)] }
}

/** Why a turn has no reply rule, or null. */
function reasonToSkip({ response }: RecordedTurn, replayHeader: string): string | null {
  if (headerOf(response, replayHeader) === 'true') return 'it was a replay'
  return response.status === 200 ? null : `it was refused with ${response.status}`
}

function incomplete({ reply, error, streamed }: TurnResponse): string | null {
  if (reply || error !== undefined) return null
  return streamed ? 'its stream ended without done or error' : 'its response was not a JSON object'
}

const cut = (complete: boolean): readonly string[] =>
  complete ? [] : ['The connection was closed before the response was complete.']

/** A note about a placeholder in the reply. */
const templates = ({ text, tokens = [] }: ReplyRule['reply']): readonly string[] =>
  (text ?? tokens.join('')).includes('{message}')
    ? ['The reply has the text {message}, which the simulator replaces with the message.']
    : []

/** The first rule that matches applies, so the rule of a failed turn would hide the rule of its retry. */
function withoutRetried(rows: readonly Row[]): readonly Row[] {
  const matchOf = ({ rule }: Row): string => JSON.stringify(rule?.match ?? null)
  return rows.map((row, index) => {
    const again = rows.slice(index + 1).some((later) => later.rule && matchOf(later) === matchOf(row))
    return again && row.rule?.reply.error
      ? {
          rule: null,
          notes: ['Turn left out: it failed, and its retry succeeded.'],
        }
      : row
  })
}
