/** Turns in the order in which they were asked, as reply rules that tell them again. */
import type { ReplyRule } from '../../simulator/index.ts'
import { heard, headerOf, type Heard, type Passed } from './heard.ts'
import { isMembers, textOf } from './json.ts'
import { told } from './turn.ts'

/** A reply rule with what there is to say about it, or what there is to say instead of one. */
export interface Row {
  rule: ReplyRule | null
  notes: readonly string[]
}

/** How far each conversation has come. */
type Places = Map<string, { turns: number; presses: number }>

interface RowOptions {
  /** Delays are kept. */
  timing: boolean
  /** What marks a replay in this service. */
  replayHeader: string
}

export function rowsOf(turns: readonly Passed[], options: RowOptions): readonly Row[] {
  const places: Places = new Map()
  const rows = turns.map((passed) => rowOf(passed, places, options))
  return withoutSurpassed(rows)
}

function rowOf(passed: Passed, places: Places, { timing, replayHeader }: RowOptions): Row {
  const { asked, answer, sentAt } = passed
  const reason = unfit(passed, replayHeader)
  if (reason !== null) return { rule: null, notes: [`A turn is left out: ${reason}.`] }
  const came = heard(passed)
  const conversation = textOf(came.reply?.['conversation_id']) ?? textOf(asked['conversation_id']) ?? ''
  const before = places.get(conversation) ?? { turns: 0, presses: 0 }
  const presses = isMembers(asked['interaction']) ? before.presses + 1 : 0
  if (came.reply) places.set(conversation, { turns: before.turns + 1, presses })
  if (isMembers(came.reply?.['customer_message']))
    return {
      rule: null,
      notes: [
        'A turn is left out: its message was stored while AI replies were paused. Pause the agent for that.',
      ],
    }
  const missing = incomplete(came)
  if (missing !== null) return { rule: null, notes: [`A turn is left out: ${missing}.`] }
  const { reply, notes } = told(came, timing ? sentAt : null)
  const match = {
    message: textOf(asked['message']) ?? '',
    nth: before.turns + 1,
    ...(presses > 0 && { pressed: presses }),
  }
  return { rule: { match, reply }, notes: [...notes, ...templates(reply), ...cut(answer.complete)] }
}

/** Why an answer makes no reply rule, or null. */
function unfit({ answer }: Passed, replayHeader: string): string | null {
  if (headerOf(answer, replayHeader) === 'true') return 'it was a replay'
  return answer.status === 200 ? null : `it was refused with ${answer.status}`
}

function incomplete({ reply, error, streamed }: Heard): string | null {
  if (reply || error !== undefined) return null
  return streamed ? 'its stream ended without done or error' : 'its answer was no JSON object'
}

const cut = (complete: boolean): readonly string[] =>
  complete ? [] : ['The connection broke off behind what stands here.']

/** What a reply rule would replace by the message. */
const templates = ({ text, tokens = [] }: ReplyRule['reply']): readonly string[] =>
  (text ?? tokens.join('')).includes('{message}')
    ? ['The reply says {message} itself, which stands for the message in a reply rule.']
    : []

/** The first reply rule that matches counts: a turn that broke off would hide its own second try. */
function withoutSurpassed(rows: readonly Row[]): readonly Row[] {
  const placeOf = ({ rule }: Row): string => JSON.stringify(rule?.match ?? null)
  return rows.map((row, index) => {
    const again = rows.slice(index + 1).some((later) => later.rule && placeOf(later) === placeOf(row))
    return again && row.rule?.reply.error
      ? {
          rule: null,
          notes: ['A turn is left out: it broke off, and was answered when it was sent again.'],
        }
      : row
  })
}
