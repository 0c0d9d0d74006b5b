/** The carriers of a key: the body, or one of two headers. */
import { scenario } from '../../scenario/scenario.ts'
import { statusOf } from '../../assertions/answer.ts'
import { all, given, observed, pass } from '../../scenario/expect.ts'
import { neverTwice, ran, replayed, taken, way, ways } from '../../assertions/once.ts'
import { confirmed, replied } from '../../assertions/turn.ts'

type Named = readonly [name: string, value: string]
const inHeaders = (message: string, ...headers: readonly Named[]) =>
  ({ message, idempotency_key: null, headers }) as const

export const headers = scenario({
  title: 'a key counts in either header, and two of them never run a turn twice',
  exchanges: [
    'plain',
    'plainAgain',
    'odd',
    'x',
    'xAgain',
    'xStream',
    'twice',
    'twiceAgain',
    'apart',
    'apartAgain',
    'apartInHeaders',
    'apartInHeadersAgain',
  ],
  cost: { requests: 12, turns: 6 },
  async run(t) {
    const first = t.key()
    const plain = await t.chat('plain', inHeaders(t.text(40), ['Idempotency-Key', first]))
    await t.resend('plainAgain', plain)
    await t.resend('odd', plain, { headers: [['iDEMPOTENCY-kEY', first]] })
    const x = await t.chat('x', inHeaders(t.text(40), ['X-Idempotency-Key', t.key()]))
    await t.resend('xAgain', x)
    await t.chat('xStream', { ...inHeaders(t.text(40), ['X-Idempotency-Key', t.key()]), stream: true })
    const same = t.key()
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
    // One in the body and a header may be refused as a bad request.
    'IDEM-CARRIER-AGREE': ({ plain, plainAgain, twice, twiceAgain }) =>
      given(replayed(plain, plainAgain), () =>
        statusOf(twice) === 400 ? pass : all(taken(twice), replayed(twice, twiceAgain)),
      ),
    'IDEM-CARRIER-DISAGREE': ({ plain, apart, apartAgain, apartInHeaders, apartInHeadersAgain }) =>
      confirmed(
        all(neverTwice(apart, apartAgain), neverTwice(apartInHeaders, apartInHeadersAgain)),
        ran(plain),
      ),
  },
  observe: {
    'GAP-TWO-KEYS': ({ plain, apart, apartInHeaders }) =>
      ways(plain, { 'body and header': apart, 'both headers': apartInHeaders }),
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
