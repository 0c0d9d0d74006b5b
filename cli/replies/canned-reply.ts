/** Converts a turn to the reply of a reply rule, with notes about what a rule cannot express. */
import type { ReplyRule } from '../../simulator/index.ts'
import type { TurnResponse, TurnEvent } from './turn-response.ts'
import { textOf, type Members } from './json.ts'
import { isObject } from '../../spec/json.ts'
import { parsePresentation } from './presentation.ts'

type Reply = ReplyRule['reply']

export interface ConvertedReply {
  reply: Reply
  notes: readonly string[]
}

/** `sentAt`: time of the request, to record delays; null to record none. */
export function cannedReply(turn: TurnResponse, sentAt: number | null): ConvertedReply {
  const { events, reply, error, streamed } = turn
  const notes: string[] = []
  const tokens = events.flatMap(({ type, members }) =>
    type === 'token' ? (textOf(members['token']) ?? []) : [],
  )
  const text = textOf(reply?.['response'])
  const credits = reply?.['credits_used']
  const { presentation } = presentationIn(turn, notes)
  return {
    reply: {
      ...(text !== undefined && !(streamed && tokens.join('') === text) && { text }),
      ...(streamed && { tokens }),
      ...actionsAndGate(events, notes),
      ...(presentation && { presentation }),
      ...(typeof credits === 'number' && credits >= 0 && { credits: rounded(credits) }),
      ...(error !== undefined && { error: { afterTokens: tokens.length, text: error } }),
      ...(sentAt !== null && delays(turn, sentAt)),
    },
    notes,
  }
}

/** The simulator counts credits in thousandths. */
const rounded = (credits: number): number => Math.round(credits * 1000) / 1000

function presentationIn({ reply }: TurnResponse, notes: string[]): Pick<Reply, 'presentation'> {
  const given = reply?.['presentation']
  if (!isObject(given)) return {}
  const { presentation, leftOut } = parsePresentation(given)
  if (leftOut.length > 0)
    notes.push(
      `Left out of the presentation: ${leftOut.join(', ')}. The contract does not name its members, and these are unknown.`,
    )
  return Object.keys(presentation).length > 0 ? { presentation } : {}
}

/** The actions and the first gate of a stream. */
function actionsAndGate(events: readonly TurnEvent[], notes: string[]): Pick<Reply, 'actions' | 'gate'> {
  const of = (type: string) => events.filter((event) => event.type === type).map(({ members }) => members)
  const completed = of('action_complete')
  const started = of('action_start').map(({ actionName }) => textOf(actionName) ?? '')
  const actions = started.map((actionName) => {
    const at = completed.findIndex((one) => one['actionName'] === actionName)
    const [end] = at === -1 ? [] : completed.splice(at, 1)
    if (!end) notes.push(`The action ${actionName} started without completing; the rule completes it.`)
    return end?.['success'] === false ? { actionName, success: false } : { actionName }
  })
  const gates = of('gate_triggered')
  if (gates.length > 1) notes.push(`${gates.length} gates were triggered; the rule has only the first.`)
  const firstToken = events.findIndex(({ type }) => type === 'token')
  const later = events.slice(firstToken).some(({ type }) => /^action_|^gate_/.test(type))
  if (firstToken !== -1 && later)
    notes.push('Actions or gates came after the first token; the rule sends them before.')
  return {
    ...(actions.length > 0 && { actions }),
    ...gateOf(gates[0], notes),
  }
}

/** The contract does not show that the members of a gate are strings. */
function gateOf(gate: Members | undefined, notes: string[]): Pick<Reply, 'gate'> {
  if (!gate) return {}
  const [decision = null, reason = null] = [gate['decision'], gate['reason']]
  const asText = (value: unknown): string => textOf(value) ?? JSON.stringify(value)
  if (textOf(decision) === undefined || textOf(reason) === undefined)
    notes.push('A member of the gate was not a string; the rule has its JSON.')
  return { gate: { decision: asText(decision), reason: asText(reason) } }
}

/** Delays in whole milliseconds: before the first token, and the average between tokens. */
function delays({ events }: TurnResponse, sentAt: number): Pick<Reply, 'delayMs' | 'tokenDelayMs'> {
  const times = events.filter(({ type }) => type === 'token').map(({ at }) => at)
  const [first = events[0]?.at] = times
  if (first === undefined) return {}
  const each = times.length < 2 ? 0 : Math.round(((times.at(-1) ?? first) - first) / (times.length - 1))
  return { delayMs: Math.max(0, Math.round(first - sentAt) - each), tokenDelayMs: each }
}
