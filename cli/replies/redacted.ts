/** Rows of a conversation without what should not be passed on. */
import type { ReplyRule } from '../../simulator/index.ts'
import type { Row } from './conversation.ts'
import type { Remover } from './redact.ts'

type Reply = ReplyRule['reply']

export function redacted(rows: readonly Row[], remover: Remover): readonly Row[] {
  return rows.map(({ rule, notes }) => {
    if (!rule) return { rule, notes: notes.map(remover.text) }
    const { match, reply } = rule
    const said = typeof match.message === 'string' ? match.message : ''
    const message = remover.text(said)
    const { message: _message, ...place } = match
    return {
      rule: {
        match: message === said ? match : place,
        reply: replyWithout(reply, remover),
      },
      notes: [
        ...notes.map(remover.text),
        ...(message === said ? [] : [`Any message fits here; it was: ${message}`]),
      ],
    }
  })
}

function replyWithout(reply: Reply, { text, pieces }: Remover): Reply {
  const { actions, gate, presentation, error } = reply
  return {
    ...reply,
    ...(reply.text !== undefined && { text: text(reply.text) }),
    ...(reply.tokens && { tokens: pieces(reply.tokens) }),
    ...(actions && { actions: actions.map((one) => ({ ...one, actionName: text(one.actionName) })) }),
    ...(gate && { gate: { decision: text(gate.decision), reason: text(gate.reason) } }),
    ...(presentation && {
      presentation: Object.fromEntries(
        Object.entries(presentation).map(([part, texts]) => [part, texts.map(text)]),
      ),
    }),
    ...(error && { error: { ...error, text: text(error.text) } }),
  }
}
