/** The carriers of a key: the body, or one of two headers. */
import { scenario, type Judgement } from '../../scenario/scenario.ts'
import { statusOf } from '../../assertions/answer.ts'
import { all, given, observed, pass } from '../../scenario/expect.ts'
import { neverTwice, noSecondRun, ran, replayed, taken, way, ways } from '../../assertions/once.ts'
import { confirmed, replied } from '../../assertions/turn.ts'
import type { Exchange } from '../../wire/exchange.ts'

type Named = readonly [name: string, value: string]
const inHeaders = (message: string, ...headers: readonly Named[]) =>
  ({ message, idempotency_key: null, headers }) as const

/** A key may be in a header instead of the body; one in both may be refused as a bad request. */
const refusedOr = (exchange: Exchange, counts: () => Judgement): Judgement =>
  statusOf(exchange) === 400 ? pass : counts()

export const headers = scenario({
  title: 'a key is the same in the body and in either header, and two of them never run a turn twice',
  exchanges: [
    'plain',
    'plainAgain',
    'odd',
    'x',
    'xAgain',
    'xStream',
    'inBody',
    'again',
    'inHeader',
    'inX',
    'both',
    'twice',
    'twiceAgain',
    'apart',
    'apartAgain',
    'apartInHeaders',
    'apartInHeadersAgain',
  ],
  cost: { requests: 17, turns: 7 },
  async run(t) {
    const first = t.key()
    const plain = await t.chat('plain', inHeaders(t.text(40), ['Idempotency-Key', first]))
    await t.resend('plainAgain', plain)
    await t.resend('odd', plain, { headers: [['iDEMPOTENCY-kEY', first]] })
    const x = await t.chat('x', inHeaders(t.text(40), ['X-Idempotency-Key', t.key()]))
    await t.resend('xAgain', x)
    await t.chat('xStream', { ...inHeaders(t.text(40), ['X-Idempotency-Key', t.key()]), stream: true })
    const [message, key, same] = [t.text(40), t.key(), t.key()]
    const inBody = await t.chat('inBody', { message, idempotency_key: key })
    await t.resend('again', inBody)
    await t.chat('inHeader', inHeaders(message, ['Idempotency-Key', key]))
    await t.chat('inX', inHeaders(message, ['X-Idempotency-Key', key]))
    await t.resend('both', inBody, { headers: [['Idempotency-Key', key]] })
    const beside = (name: string) => [['Idempotency-Key', name] as const]
    const twice = { message: t.text(40), idempotency_key: same, headers: beside(same) }
    await t.resend('twiceAgain', await t.chat('twice', twice))
    await t.resend('apartAgain', await t.chat('apart', { message: t.text(40), headers: beside(t.key()) }))
    const two = inHeaders(t.text(40), ['Idempotency-Key', t.key()], ['X-Idempotency-Key', t.key()])
    await t.resend('apartInHeadersAgain', await t.chat('apartInHeaders', two))
  },
  judge: {
    'IDEM-CARRIER-HEADER': ({ plain, plainAgain }) => all(taken(plain), replayed(plain, plainAgain)),
    'IDEM-CARRIER-X-HEADER': ({ x, xAgain, xStream }) => all(taken(x), replayed(x, xAgain), taken(xStream)),
    'IDEM-HEADER-CASE': ({ plain, plainAgain, odd }) =>
      given(replayed(plain, plainAgain), () => replayed(plain, odd)),
    // The body differs by the member of the key, so a server that compares bytes may return a conflict.
    'IDEM-CARRIER-ONE': ({ inBody, again, inHeader, inX }) =>
      given(replayed(inBody, again), () => noSecondRun(inBody, inHeader, inX)),
    'IDEM-CARRIER-AGREE': ({ inBody, again, both, twice, twiceAgain }) =>
      given(replayed(inBody, again), () =>
        all(
          refusedOr(both, () => replayed(inBody, both)),
          refusedOr(twice, () => all(taken(twice), replayed(twice, twiceAgain))),
        ),
      ),
    'IDEM-CARRIER-DISAGREE': ({ inBody, apart, apartAgain, apartInHeaders, apartInHeadersAgain }) =>
      confirmed(
        all(neverTwice(apart, apartAgain), neverTwice(apartInHeaders, apartInHeadersAgain)),
        ran(inBody),
      ),
  },
  observe: {
    'GAP-SPELLING': ({ inBody, inHeader }) => ways(inBody, { 'the key in a header instead': inHeader }),
    'GAP-TWO-KEYS': ({ inBody, apart, apartInHeaders }) =>
      ways(inBody, { 'body and header': apart, 'both headers': apartInHeaders }),
  },
})

export const whichKeyWins = scenario({
  title: 'which of two different keys counts',
  exchanges: ['control', 'apart', 'again', 'byBody', 'byHeader'],
  cost: { requests: 5, turns: 3 },
  profile: 'exhaustive',
  async run(t) {
    const [message, inBody, inHeader] = [t.text(40), t.key(), t.key()]
    await t.chat('control', { message: t.text(40) })
    const headers = [['Idempotency-Key', inHeader] as const]
    const apart = await t.chat('apart', { message, idempotency_key: inBody, headers })
    await t.resend('again', apart)
    await t.resend('byBody', apart, { withoutHeaders: ['Idempotency-Key'] })
    await t.chat('byHeader', inHeaders(message, ['Idempotency-Key', inHeader]))
  },
  judge: {
    'IDEM-CARRIER-DISAGREE': ({ control, apart, again }) => confirmed(neverTwice(apart, again), ran(control)),
  },
  observe: {
    'GAP-TWO-KEYS': ({ control, apart, byBody, byHeader }) =>
      given(replied(control), () => {
        if (way(apart) !== 'ran') return observed(`two keys: ${way(apart)}`)
        return observed(way(byBody) === 'replayed' ? 'the body wins' : `the header: ${way(byHeader)}`)
      }),
  },
})
