/** A used key with a different message, and with requests that are neither identical nor clearly different. */
import { scenario } from '../../scenario/scenario.ts'
import { refused, refusedByJson, unmarked } from '../../assertions/answer.ts'
import { all, given, notApplicable, observed, pass } from '../../scenario/expect.ts'
import { conflict, noSecondRun, replayed, replyOf, unless, ways } from '../../assertions/once.ts'
import { fields, isReplay, isStream } from '../../assertions/reply.ts'
import { oneDone } from '../assertions/streams/stream.ts'
import { refusedBeside, replied } from '../../assertions/turn.ts'

export const message = scenario({
  title: 'a used key with a different message is a conflict',
  exchanges: ['first', 'other', 'sameLength', 'streamed', 'again'],
  cost: { requests: 5, turns: 1 },
  profile: 'smoke',
  async run(t) {
    const idempotency_key = t.key()
    const first = await t.chat('first', { message: t.text(40), idempotency_key })
    await t.chat('other', { message: t.text(52), idempotency_key })
    await t.chat('sameLength', { message: t.text(40), idempotency_key })
    await t.chat('streamed', { message: t.text(52), idempotency_key, stream: true })
    await t.resend('again', first)
  },
  judge: {
    'IDEM-CONFLICT-STATUS': ({ first, other }) => refusedBeside(first, other, 409),
    'IDEM-CONFLICT-CODE': ({ first, other }) => conflict(first, other),
    'IDEM-CONFLICT-LENGTH': ({ first, sameLength }) => conflict(first, sameLength),
    'IDEM-CONFLICT-STREAM': ({ first, streamed }) =>
      unless(conflict(first, streamed), () => refusedByJson(streamed)),
    'IDEM-CONFLICT-UNCHANGED': ({ first, other, again }) =>
      given(refused(other), () => replayed(first, again)),
  },
})

export const conversation = scenario({
  title: 'a used key for another conversation never runs a second turn',
  exchanges: ['elsewhere', 'first', 'own', 'other', 'continued', 'without', 'again'],
  cost: { requests: 7, turns: 3 },
  async run(t) {
    const idOf = (exchange: Parameters<typeof fields>[0]): string => {
      const id = fields(exchange)?.['conversation_id']
      return typeof id === 'string' ? id : t.stop(`\`${exchange.name}\` named no conversation`)
    }
    const elsewhere = idOf(await t.chat('elsewhere', { message: t.text(40) }))
    const [message, idempotency_key] = [t.text(40), t.key()]
    const first = await t.chat('first', { message, idempotency_key })
    const own = idOf(first)
    await t.chat('own', { message, idempotency_key, conversation_id: own })
    await t.chat('other', { message, idempotency_key, conversation_id: elsewhere })
    const key = t.key()
    await t.chat('continued', { message, idempotency_key: key, conversation_id: own })
    await t.chat('without', { message, idempotency_key: key })
    await t.resend('again', first)
  },
  judge: {
    // In the conversation and with the text of the first one: only the key distinguishes the turns.
    'IDEM-FRESH-UNMARKED': ({ first, continued }) =>
      given(replied(continued), () =>
        unless(unmarked(continued), () =>
          replyOf(continued) === replyOf(first)
            ? notApplicable('the agent says the same to the same message')
            : pass,
        ),
      ),
    'IDEM-OTHER-CONVERSATION': ({ first, own, other, continued, without, again }) =>
      given(replayed(first, again), () =>
        all(noSecondRun(first, own, other), noSecondRun(continued, without)),
      ),
  },
  observe: {
    'GAP-IDENTICAL': ({ first, own, other }) =>
      ways(first, { 'its own conversation named': own, 'another conversation named': other }),
  },
})

export const spelling = scenario({
  title:
    'a used key with the same JSON in another encoding, or with one member more, never runs a second turn',
  exchanges: ['first', 'again', 'spaced', 'reordered', 'escaped', 'member'],
  cost: { requests: 6, turns: 1 },
  async run(t) {
    const body = { message: `${t.text(30)} café`, idempotency_key: t.key() }
    const first = await t.chat('first', body)
    // First: a server that runs one of the others may store its reply with the key.
    await t.resend('again', first)
    await t.resend('spaced', first, { raw: JSON.stringify(body, null, 2) })
    const { message, idempotency_key } = body
    await t.resend('reordered', first, { raw: JSON.stringify({ idempotency_key, message }) })
    const escaped = JSON.stringify(body).replaceAll('é', '\\u00e9').replaceAll('c', '\\u0063')
    await t.resend('escaped', first, { raw: escaped })
    await t.chat('member', { ...body, extra: { touchstone_unknown: true } })
  },
  judge: {
    'IDEM-OTHER-SPELLING': ({ first, spaced, reordered, escaped, again }) =>
      given(replayed(first, again), () => noSecondRun(first, spaced, reordered, escaped)),
    'IDEM-OTHER-MEMBER': ({ first, member, again }) =>
      given(replayed(first, again), () => noSecondRun(first, member)),
  },
  observe: {
    'GAP-SPELLING': ({ first, spaced, reordered, escaped, member }) =>
      ways(first, { spacing: spaced, order: reordered, escapes: escaped, 'one member more': member }),
  },
})

export const mode = scenario({
  title: 'a used key with the other value of stream never runs a second turn',
  exchanges: ['plain', 'asStream', 'streamed', 'asJson'],
  cost: { requests: 4, turns: 2 },
  async run(t) {
    const one = { message: t.text(40), idempotency_key: t.key() }
    await t.chat('plain', one)
    await t.chat('asStream', { ...one, stream: true })
    const two = { message: t.text(40), idempotency_key: t.key() }
    await t.chat('streamed', { ...two, stream: true })
    await t.chat('asJson', two)
  },
  judge: {
    'IDEM-OTHER-MODE-ONE-DONE': ({ plain, asStream }) =>
      given(replied(plain), () =>
        isReplay(asStream) && isStream(asStream)
          ? oneDone(asStream)
          : notApplicable('a turn answered as JSON is not replayed as a stream here'),
      ),
  },
  observe: {
    'GAP-IDENTICAL': ({ plain, asStream, asJson }) =>
      ways(plain, { 'JSON first, then a stream': asStream, 'a stream first, then JSON': asJson }),
    'GAP-REPLAY-MODE': ({ plain, asStream, asJson }) =>
      given(replied(plain), () => {
        const asAsked = [isStream(asStream) && 'a stream', !isStream(asJson) && 'JSON'].filter(Boolean)
        if (!isReplay(asStream) || !isReplay(asJson)) return observed('not replayed in the other form')
        return observed(asAsked.length > 0 ? `as asked for: ${asAsked.join(' and ')}` : 'as it was first')
      }),
  },
})
