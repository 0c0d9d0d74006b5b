/** Redacts the rules and notes of a recording. */
import type { ReplyRule } from '../../simulator/index.ts'
import type { Row } from './conversation.ts'
import type { TextRedactor } from './text-redactor.ts'

type Reply = ReplyRule['reply']

export function redactRows(rows: readonly Row[], redactor: TextRedactor): readonly Row[] {
  return rows.map(({ rule, notes }) => {
    if (!rule) return { rule, notes: notes.map(redactor.text) }
    const { match, reply } = rule
    const original = typeof match.message === 'string' ? match.message : ''
    const message = redactor.text(original)
    const { message: _message, ...place } = match
    return {
      rule: {
        match: message === original ? match : place,
        reply: redactReply(reply, redactor),
      },
      notes: [
        ...notes.map(redactor.text),
        ...(message === original ? [] : [`Matches any message; it was: ${message}`]),
      ],
    }
  })
}

function redactReply(reply: Reply, { text, pieces }: TextRedactor): Reply {
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
