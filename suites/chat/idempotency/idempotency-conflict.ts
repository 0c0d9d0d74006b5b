/** A used key with a different message, and with requests that are neither identical nor clearly different. */
import { scenario } from '../../scenario/scenario.ts'
import { codesOf, object, refused, refusedByJson, status, statusOf } from '../../assertions/answer.ts'
import { all, given, observed, inTurn, need, pass } from '../../scenario/expect.ts'
import { conflict, noSecondRun, replayed, ways } from '../../assertions/once.ts'
import { isReplay, isStream } from '../../assertions/reply.ts'
import { refusedBeside, replied, toContinue } from '../../assertions/turn.ts'
import type { Exchange } from '../../wire/exchange.ts'

export const message = scenario({
  title: 'a used key with a different message is a conflict',
  exchanges: ['first', 'replay', 'other', 'sameLength', 'streamed', 'again'],
  cost: { requests: 6, turns: 1 },
  profile: 'smoke',
  async run(t) {
    const idempotency_key = t.key()
    const first = await t.chat('first', { message: t.text(40), idempotency_key })
    await t.resend('replay', first)
    await t.chat('other', { message: t.text(52), idempotency_key })
    await t.chat('sameLength', { message: t.text(40), idempotency_key })
    await t.chat('streamed', { message: t.text(52), idempotency_key, stream: true })
    await t.resend('again', first)
  },
  judge: {
    'IDEM-CONFLICT-STATUS': ({ first, other }) => refusedBeside(first, other, 409),
    'IDEM-CONFLICT-CODE': ({ first, replay, other }) => conflict(first, [other], replay),
    'IDEM-CONFLICT-LENGTH': ({ first, replay, sameLength }) => conflict(first, [sameLength], replay),
    'IDEM-CONFLICT-STREAM': ({ first, replay, streamed }) =>
      inTurn(conflict(first, [streamed], replay), refusedByJson(streamed)),
    'IDEM-CONFLICT-UNCHANGED': ({ first, other, again }) =>
      given(refused(other), () => replayed(first, again)),
  },
  observe: {
    'GAP-ERROR-CODE-MEMBER': ({ first, other }) =>
      inTurn(need(replied(first)), need(status(other, 409)), () => observed(codeMembers(other))),
  },
})

function codeMembers(exchange: Exchange): string {
  const codes = codesOf(exchange)
  const members = Object.entries(object(exchange) ?? {}).filter(
    ([, value]) => typeof value === 'string' && codes.some((code) => value.includes(code)),
  )
  return members.map(([name]) => `\`${name}\``).join(', ') || 'no code in any top-level text'
}

export const conversation = scenario({
  title: 'a used key with the same message in another form, place, mode or conversation runs no second turn',
  exchanges: [
    'elsewhere',
    'first',
    'again',
    'spaced',
    'reordered',
    'escaped',
    'member',
    'inHeader',
    'inX',
    'both',
    'own',
    'other',
    'asStream',
    'continued',
    'without',
    'streamed',
    'asJson',
  ],
  cost: { requests: 17, turns: 4 },
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
    const inHeader = (name: string) => ({ headers: [[name, idempotency_key]] as const })
    await t.chat('inHeader', { message, idempotency_key: null, ...inHeader('Idempotency-Key') })
    await t.chat('inX', { message, idempotency_key: null, ...inHeader('X-Idempotency-Key') })
    await t.resend('both', first, inHeader('Idempotency-Key'))
    await t.chat('asStream', { ...body, stream: true })
    const two = { message: t.text(40), idempotency_key: t.key() }
    await t.chat('streamed', { ...two, stream: true })
    await t.chat('asJson', two)
    const own = toContinue(t, first)
    const elsewhere = toContinue(t, await t.chat('elsewhere', { message: t.text(40) }))
    await t.chat('own', { ...body, conversation_id: own })
    await t.chat('other', { ...body, conversation_id: elsewhere })
    const key = t.key()
    await t.chat('continued', { message, idempotency_key: key, conversation_id: own })
    await t.chat('without', { message, idempotency_key: key })
  },
  judge: {
    'IDEM-OTHER-SPELLING': ({ first, spaced, reordered, escaped, again }) =>
      given(replayed(first, again), () => noSecondRun(first, spaced, reordered, escaped)),
    'IDEM-OTHER-MEMBER': ({ first, member, again }) =>
      given(replayed(first, again), () => noSecondRun(first, member)),
    // The body differs by the member of the key, so a server that compares bytes may return a conflict.
    'IDEM-CARRIER-ONE': ({ first, inHeader, inX, again }) =>
      given(replayed(first, again), () => noSecondRun(first, inHeader, inX)),
    // One in both places may be refused as a bad request.
    'IDEM-CARRIER-AGREE': ({ first, both, again }) =>
      given(replayed(first, again), () => (statusOf(both) === 400 ? pass : replayed(first, both))),
    'IDEM-OTHER-CONVERSATION': ({ first, own, other, continued, without, again }) =>
      given(replayed(first, again), () =>
        all(noSecondRun(first, own, other), noSecondRun(continued, without)),
      ),
  },
  observe: {
    'GAP-SPELLING': ({ first, spaced, reordered, escaped, member, inHeader }) =>
      ways(first, {
        spacing: spaced,
        order: reordered,
        escapes: escaped,
        'one member more': member,
        'the key in a header instead': inHeader,
      }),
    'GAP-IDENTICAL': ({ first, own, other, asStream, asJson }) =>
      ways(first, {
        'its own conversation named': own,
        'another conversation named': other,
        'JSON first, then a stream': asStream,
        'a stream first, then JSON': asJson,
      }),
    'GAP-REPLAY-MODE': ({ first, asStream, asJson }) =>
      given(replied(first), () => {
        const asAsked = [isStream(asStream) && 'a stream', !isStream(asJson) && 'JSON'].filter(Boolean)
        if (!isReplay(asStream) || !isReplay(asJson)) return observed('not replayed in the other form')
        return observed(asAsked.length > 0 ? `as asked for: ${asAsked.join(' and ')}` : 'as it was first')
      }),
  },
})
