/** A turn that was heard, as a reply rule: what can be said in one, and notes about what cannot. */
import type { ReplyRule } from '../../simulator/index.ts'
import type { Heard, HeardEvent } from './heard.ts'
import { isMembers, textOf, type Members } from './json.ts'
import { recognised } from './presentation.ts'

type Reply = ReplyRule['reply']

export interface Told {
  reply: Reply
  notes: readonly string[]
}

/** `sentAt`: when the request left, for the delays; null where they are not wanted. */
export function told(heard: Heard, sentAt: number | null): Told {
  const { events, reply, error, streamed } = heard
  const notes: string[] = []
  const tokens = events.flatMap(({ type, members }) =>
    type === 'token' ? (textOf(members['token']) ?? []) : [],
  )
  const text = textOf(reply?.['response'])
  const credits = reply?.['credits_used']
  const { presentation } = presentationIn(heard, notes)
  return {
    reply: {
      ...(text !== undefined && !(streamed && tokens.join('') === text) && { text }),
      ...(streamed && { tokens }),
      ...happened(events, notes),
      ...(presentation && { presentation }),
      ...(typeof credits === 'number' && credits >= 0 && { credits: rounded(credits) }),
      ...(error !== undefined && { error: { afterTokens: tokens.length, text: error } }),
      ...(sentAt !== null && delays(heard, sentAt)),
    },
    notes,
  }
}

/** The simulator counts in thousandths. */
const rounded = (credits: number): number => Math.round(credits * 1000) / 1000

function presentationIn({ reply }: Heard, notes: string[]): Pick<Reply, 'presentation'> {
  const given = reply?.['presentation']
  if (!isMembers(given)) return {}
  const { presentation, leftOut } = recognised(given)
  if (leftOut.length > 0)
    notes.push(
      `Of the presentation, ${leftOut.join(', ')} could not be recognised and is left out: the contract shows no names in it.`,
    )
  return Object.keys(presentation).length > 0 ? { presentation } : {}
}

/** Actions and gates. */
function happened(events: readonly HeardEvent[], notes: string[]): Pick<Reply, 'actions' | 'gate'> {
  const of = (type: string) => events.filter((event) => event.type === type).map(({ members }) => members)
  const completed = of('action_complete')
  const started = of('action_start').map(({ actionName }) => textOf(actionName) ?? '')
  const actions = started.map((actionName) => {
    const at = completed.findIndex((one) => one['actionName'] === actionName)
    const [end] = at === -1 ? [] : completed.splice(at, 1)
    if (!end) notes.push(`The action ${actionName} started and did not complete; here it completes.`)
    return end?.['success'] === false ? { actionName, success: false } : { actionName }
  })
  const gates = of('gate_triggered')
  if (gates.length > 1) notes.push(`${gates.length} gates were triggered; only the first one stands here.`)
  const firstToken = events.findIndex(({ type }) => type === 'token')
  const later = events.slice(firstToken).some(({ type }) => /^action_|^gate_/.test(type))
  if (firstToken !== -1 && later)
    notes.push('Tools or gates came between tokens or after them; here they come before.')
  return {
    ...(actions.length > 0 && { actions }),
    ...gateOf(gates[0], notes),
  }
}

/** The contract does not show that its members are texts. */
function gateOf(gate: Members | undefined, notes: string[]): Pick<Reply, 'gate'> {
  if (!gate) return {}
  const [decision = null, reason = null] = [gate['decision'], gate['reason']]
  const asText = (value: unknown): string => textOf(value) ?? JSON.stringify(value)
  if (textOf(decision) === undefined || textOf(reason) === undefined)
    notes.push('A member of the gate was no text; here it is one, of JSON.')
  return { gate: { decision: asText(decision), reason: asText(reason) } }
}

/** Whole milliseconds: to the first token, and between tokens on the average. */
function delays({ events }: Heard, sentAt: number): Pick<Reply, 'delayMs' | 'tokenDelayMs'> {
  const times = events.filter(({ type }) => type === 'token').map(({ at }) => at)
  const [first = events[0]?.at] = times
  if (first === undefined) return {}
  const each = times.length < 2 ? 0 : Math.round(((times.at(-1) ?? first) - first) / (times.length - 1))
  return { delayMs: Math.max(0, Math.round(first - sentAt) - each), tokenDelayMs: each }
}
