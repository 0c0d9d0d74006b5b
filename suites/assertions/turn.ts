/**
 * Whether an answer is the reply of a turn at all: the control beside everything else that is judged. A
 * server that says the same to everybody never gets past it.
 */
import type { ChatErrorCode } from '../../spec/index.ts'
import type { Driver, Judgement } from '../scenario/scenario.ts'
import { type Exchange, header, text } from '../wire/exchange.ts'
import { code, codesOf, isJson, object, shown, status } from './answer.ts'
import { isObject } from '../../spec/json.ts'
import { memo } from '../wire/memo/memo.ts'
import { fail, check, given, observed, pass } from '../scenario/expect.ts'
import { field, fieldOf, fields, isStream, succeeded, type Fields } from './reply.ts'

/** 200 with final fields, of which at least one of the two that every reply has is recognisable. */
export function replied(exchange: Exchange): Judgement {
  return given(succeeded(exchange), () => {
    const { response, conversation_id: id } = fields(exchange) ?? {}
    const recognisable = typeof response === 'string' || typeof id === 'string'
    return recognisable ? pass : fail('a `response` or a `conversation_id`', shown(exchange), exchange)
  })
}

/** Returns a pass only if the control passes as well; a failure stays a failure. */
export function confirmed(judgement: Judgement, control: Judgement): Judgement {
  return judgement.is === 'pass' ? given(control, () => judgement) : judgement
}

/** The request was accepted as a turn: 200, and a reply to show for it. */
export function accepts(exchange: Exchange): Judgement {
  return confirmed(status(exchange, 200), replied(exchange))
}

/** The reply is one JSON object and no stream, whatever its content type says. */
export function asJson(exchange: Exchange): Judgement {
  return given(status(exchange, 200), () => {
    const holds = !isStream(exchange) && object(exchange) !== null
    return confirmed(check(holds, 'one JSON object', shown(exchange, 80), exchange), replied(exchange))
  })
}

/** JSON is UTF-8 (RFC 8259, 8.1). What is compressed, or broke off, shows no encoding. */
export function inUtf8(reply: Exchange): Judgement {
  const isShown = isJson(reply) && header(reply, 'content-encoding').length === 0 && reply.response?.complete
  return check(!isShown || text(reply).valid, 'JSON in UTF-8', 'bytes that are not UTF-8', reply)
}

/** Judges what was accepted. A refusal that came again in each attempt is itself the judgement. */
export function promised(exchange: Exchange, then: () => Judgement): Judgement {
  return exchange.recurred ? accepts(exchange) : given(replied(exchange), then)
}

/** A request that differs in one thing from one that was accepted is refused with this status, and this code. */
export function refusedBeside(
  accepted: Exchange,
  bad: Exchange,
  expected: number,
  named?: ChatErrorCode,
): Judgement {
  return given(replied(accepted), () => {
    const judgement = status(bad, expected)
    return named && judgement.is === 'pass' ? code(bad, named) : judgement
  })
}

export function conversationOf(exchange: Exchange): string | null {
  const id = fieldOf(exchange, 'conversation_id')
  return typeof id === 'string' ? id : null
}

/** The conversation to continue; ends the scenario where the reply names none. */
export const toContinue = (t: Pick<Driver, 'stop'>, exchange: Exchange): string =>
  conversationOf(exchange) ??
  t.stop(`\`${exchange.name}\` named no conversation`, field(exchange, 'conversation_id', 'uuid'))

const membersOf = memo(
  ({ body }: Exchange['request']): Fields | null => {
    try {
      const members: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
      return isObject(members) ? members : null
    } catch {
      return null
    }
  },
  (_, { body }) => 8 * body.length,
)

export const asked = ({ request }: Pick<Exchange, 'request'>): Fields | null => membersOf(request)

/** An answer that is not judged, in words that are the same from run to run. */
export function outcome(exchange: Exchange): string {
  const { response, failure } = exchange
  if (failure) return `no whole answer (${failure.kind})`
  if (!response) return 'no answer'
  if (response.status !== 200)
    return `refused with ${[response.status, ...new Set(codesOf(exchange))].join(' ')}`
  return `accepted, answered as ${isStream(exchange) ? 'a stream' : 'JSON'}`
}

/** Records what a target does where the contract is silent, once a control shows that it answers at all. */
export function recorded(
  control: Exchange,
  ...facts: readonly (readonly [what: string, exchange: Exchange])[]
): Judgement {
  return given(replied(control), () =>
    observed(facts.map(([what, exchange]) => `${what}: ${outcome(exchange)}`).join('; ')),
  )
}
