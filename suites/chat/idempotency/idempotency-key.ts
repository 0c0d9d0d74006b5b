/** Valid and invalid idempotency keys. Every refused request differs in one respect from one that was accepted. */
import { limits } from '../../../spec/index.ts'
import { scenario, type Judgement } from '../../scenario/scenario.ts'
import { answered, noServerError, statusOf } from '../../assertions/answer.ts'
import { all, check, every, given, inconclusive, pass } from '../../scenario/expect.ts'
import { replayed, taken, ways } from '../../assertions/once.ts'
import { refusedBeside, replied } from '../../assertions/turn.ts'
import type { Exchange } from '../../wire/exchange.ts'

const longest = limits.idempotencyKeyMaxCharacters

/** Any 4xx for another reason excluded: a header may be too long before it is read as a key. */
function blamesTheRequest(exchange: Exchange): Judgement {
  return given(answered(exchange), () => {
    const got = statusOf(exchange)
    const another = [401, 402, 403, 404, 409, 429].includes(got)
    return check(
      got >= 400 && got < 500 && !another,
      'status 400, or another for a bad request',
      `status ${got}`,
      exchange,
    )
  })
}

const byHeader = (message: string, key: string, name = 'Idempotency-Key') =>
  ({ message, idempotency_key: null, headers: [[name, key]] }) as const

export const required = scenario({
  title: 'a turn needs a key',
  exchanges: ['accepted', 'without', 'again'],
  cost: { requests: 3, turns: 1 },
  profile: 'smoke',
  async run(t) {
    const message = t.text(40)
    const accepted = await t.chat('accepted', { message })
    await t.chat('without', { message, idempotency_key: null })
    await t.resend('again', accepted)
  },
  judge: {
    'IDEM-KEY-REQUIRED': ({ accepted, without }) => refusedBeside(accepted, without, 400),
    'IDEM-KEY-REQUIRED-CODE': ({ accepted, without }) =>
      refusedBeside(accepted, without, 400, 'IDEMPOTENCY_KEY_REQUIRED'),
    'IDEM-CARRIER-BODY': ({ accepted, again }) => replayed(accepted, again),
  },
})

/** A key this short may have been used before; with the same message it is then a replay, and accepted too. */
const shortKeyMessage = 'What are your opening hours?'

export const inTheBody = scenario({
  title: 'a key is a string of 1 to 255 characters, in the body and in a header',
  exchanges: [
    'longest',
    'over',
    'empty',
    'accented',
    'accents',
    'number',
    'wrong[]',
    'short',
    'inHeader',
    'overInHeader[]',
    'emptyInHeader[]',
  ],
  cost: { requests: 16, turns: 5 },
  async run(t) {
    const message = t.text(40)
    const over = () => t.key().padEnd(longest + 1, 'k')
    await t.chat('longest', { message, idempotency_key: t.key().padEnd(longest, 'k') })
    await t.chat('accented', { message, idempotency_key: `${t.key()}é` })
    await t.chat('accents', { message, idempotency_key: t.key().padEnd(longest - 1, 'é') })
    const short = 'abcdefghijklmnopqrstuvwxyz0123456789'.charAt(t.pick(36))
    await t.chat('short', { message: shortKeyMessage, idempotency_key: short })
    await t.chat('inHeader', byHeader(message, t.key().padEnd(longest, 'k')))
    // After all turns: what a refusal costs would show in the balance of the next.
    await t.chat('over', { message, idempotency_key: over() })
    await t.chat('empty', { message, idempotency_key: '' })
    await t.chat('number', { message, idempotency_key: 20_000 + t.pick(9_999_999) })
    for (const value of [true, [t.key()], { key: t.key() }])
      await t.add('wrong', { message, idempotency_key: value })
    await t.add('wrong', { raw: JSON.stringify({ message, idempotency_key: null }) })
    for (const name of ['Idempotency-Key', 'X-Idempotency-Key']) {
      await t.add('overInHeader', byHeader(message, over(), name))
      await t.add('emptyInHeader', byHeader(message, '', name))
    }
  },
  judge: {
    'IDEM-KEY-MAX': ({ longest, accented, accents, inHeader }) =>
      all(taken(longest), replied(accented).is === 'pass' ? taken(accents) : pass, taken(inHeader)),
    'IDEM-KEY-OVER': ({ longest, over }) => refusedBeside(longest, over, 400),
    'IDEM-KEY-EMPTY': ({ longest, empty }) => refusedBeside(longest, empty, 400),
    'IDEM-KEY-STRING': ({ longest, number, wrong }) =>
      every([number, ...wrong], (one) => refusedBeside(longest, one, 400)),
    'IDEM-KEY-MIN': ({ short }) =>
      short.response?.status === 409
        ? inconclusive('somebody used this key before, or uses it now')
        : taken(short),
    'IDEM-KEY-OVER-HEADER': ({ inHeader, overInHeader }) =>
      given(replied(inHeader), () => every(overInHeader, blamesTheRequest)),
    'IDEM-KEY-EMPTY-HEADER': ({ inHeader, emptyInHeader }) =>
      every(emptyInHeader, (one) => refusedBeside(inHeader, one, 400)),
  },
})

export const characters = scenario({
  title: 'what a character of a key is',
  exchanges: ['ordinary', 'emoji'],
  cost: { requests: 2, turns: 2 },
  profile: 'exhaustive',
  async run(t) {
    const message = t.text(40)
    await t.chat('ordinary', { message })
    await t.chat('emoji', { message, idempotency_key: t.key() + '🙂'.repeat(longest - 60) })
  },
  judge: {
    'IDEM-KEY-ODD': ({ ordinary, emoji }) => given(replied(ordinary), () => noServerError(emoji)),
  },
  observe: {
    'GAP-CHARACTER-UNIT': ({ ordinary, emoji }) =>
      ways(ordinary, { '238 characters, 433 UTF-16 units and more bytes': emoji }),
  },
})
