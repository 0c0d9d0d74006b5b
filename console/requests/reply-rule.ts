/** A turn as a reply file, with which the simulator replies to this message as it did here. */
import type { components } from '../../spec/types/control.ts'
import type { Exchange } from '../state/exchanges.ts'
import { isMembers, membersOf, replyOf, summaryOf, textIn, type Members } from './summary.ts'

type Reply = components['schemas']['CannedReply']
type Presentation = NonNullable<Reply['presentation']>

/** A turn that was refused, or whose message was only stored, has no reply that a rule could give. */
export function hasReply(one: Exchange): boolean {
  const { outcome } = summaryOf(one)
  return outcome === 'run' || outcome === 'replay' || (outcome === 'failed' && one.status === 200)
}

/** The kinds of a presentation's parts, and the member of a part that has its text. */
const parts: readonly (readonly [part: keyof Presentation, kind: string, text: string])[] = [
  ['messages', 'message', 'text'],
  ['buttons', 'button', 'label'],
  ['images', 'image', 'url'],
  ['media', 'media', 'url'],
]

const listOf = (value: unknown): readonly Members[] => (Array.isArray(value) ? value.filter(isMembers) : [])

/** Under both interpretations of its shape: a list for each kind, or one list of all. */
function presentationOf(given: unknown): Presentation | undefined {
  if (!isMembers(given)) return undefined
  const found = parts.map(([part, kind, text]): [string, string[]] => {
    const items = listOf(given['items']).filter((item) => item['kind'] === kind)
    return [part, [...listOf(given[part]), ...items].map((item) => textIn(item, text))]
  })
  return Object.fromEntries(found.filter(([, texts]) => texts.length > 0))
}

export function replyRuleOf(one: Exchange): string {
  const { message } = membersOf(one.request.body)
  const of = (type: string): readonly Members[] =>
    summaryOf(one)
      .events.filter((event) => event.type === type)
      .map(({ data }) => membersOf(data))
  const final = replyOf(one)
  const tokens = of('token').map((event) => textIn(event, 'token'))
  const actions = of('action_complete').map(({ actionName, success }) => ({
    actionName,
    ...(success === false && { success }),
  }))
  const [gate] = of('gate_triggered')
  const [error] = of('error')
  const presentation = presentationOf(final['presentation'])
  const reply = {
    ...(tokens.length > 0 ? { tokens } : { text: textIn(final, 'response') }),
    ...(actions.length > 0 && { actions }),
    ...(gate && { gate: { decision: textIn(gate, 'decision'), reason: textIn(gate, 'reason') } }),
    ...(presentation && { presentation }),
    ...(error && { error: { afterTokens: tokens.length, text: textIn(error, 'error') } }),
  }
  return `${JSON.stringify([{ match: { message }, reply }], null, 2)}\n`
}
