/** A client in whose way nothing is: what it sends is what the contract asks for. */
import { all, check, every, inconclusive } from '../judge/expect.ts'
import type { Judgement } from '../engine/judgement.ts'
import type { Exchange } from '../wire/exchange.ts'
import { parseJson, type Json } from '../wire/json.ts'
import { sentTo } from './performed.ts'
import { clientScenario } from './story.ts'

const message = 'Which rooms are free on Friday?'
const key = 'plain-turn-1'

export const chat = clientScenario({
  title: 'a turn is asked for and answered',
  acts: { turn: { task: { do: 'chat', message, idempotencyKey: key } } },
  judge: {
    'LIB-CHAT': ({ turn }) => chatOf(turn, asksFor),
    'LIB-AUTHORIZATION': ({ turn }) => every(turn, bearsKey),
    'LIB-KEY-HEADER': ({ turn }) => chatOf(turn, (one) => carries(one, key)),
  },
})

/** What was sent to the chat route, each judged; that nothing was is the client's own doing. */
function chatOf(exchanges: readonly Exchange[], judge: (exchange: Exchange) => Judgement): Judgement {
  const sent = sentTo(exchanges, 'chat')
  if (sent.length > 0) return every(sent, judge)
  const [first] = exchanges
  if (first === undefined) return inconclusive('it sent nothing')
  const { method, path } = first.request
  return check(false, 'a POST to /api/v1/chat/ and the agent', `${method} ${path}`, first)
}

function asksFor(exchange: Exchange): Judgement {
  const types = valuesOf(exchange, 'content-type')
  const isJson = types.length === 1 && /^application\/json\s*(;|$)/i.test(types[0] ?? '')
  const body = parseJson(Buffer.from(exchange.request.body).toString('utf8'))
  const said = body.ok && isTable(body.value) ? body.value['message'] : undefined
  return all(
    check(isJson, 'Content-Type: application/json', types.join(', ') || 'no Content-Type', exchange),
    check(
      said === message,
      `the message ${JSON.stringify(message)} in a JSON object`,
      body.ok ? (JSON.stringify(said) ?? 'no message') : body.why,
      exchange,
    ),
  )
}

function bearsKey(exchange: Exchange): Judgement {
  const values = valuesOf(exchange, 'authorization')
  const bears = values.length === 1 && /^Bearer \S+$/.test(values[0] ?? '')
  return check(bears, 'one Authorization with the scheme Bearer and the key', wordsFor(values), exchange)
}

function carries(exchange: Exchange, expected: string): Judgement {
  const values = valuesOf(exchange, 'idempotency-key')
  const got = values.join(', ') || 'no Idempotency-Key'
  return check(values.length === 1 && values[0] === expected, `Idempotency-Key: ${expected}`, got, exchange)
}

function valuesOf({ request }: Exchange, name: string): readonly string[] {
  return request.headers.filter(([given]) => given.toLowerCase() === name).map(([, value]) => value)
}

/** Says how the header is made, and nothing of what stands in it. */
function wordsFor(values: readonly string[]): string {
  if (values.length === 0) return 'no Authorization'
  return values.length === 1 ? 'one Authorization of another form' : `${values.length} of them`
}

function isTable(value: Json): value is { [member: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
