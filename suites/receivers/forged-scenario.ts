/** The one shape of every scenario about forged deliveries: a genuine one, the forged ones, and a genuine one again. */
import type { ClauseId } from '../../spec/index.ts'
import type { Context } from '../scenario/scenario.ts'
import type { Exchange } from '../wire/exchange.ts'
import { softened } from '../scenario/expect.ts'
import { answered401, notAccepted, resting, stillAccepts } from './answers.ts'
import type { Delivery, Wish } from './delivery.ts'
import { each, exchangesIn } from './subject.ts'
import { receiverScenario, type Courier, type ReceiverScenario } from './receiver-scenario.ts'

/** Changes one thing of a genuine delivery. `sign` makes the header value that is true for a body. */
export type Forge = (genuine: Delivery, sign: Courier['sign']) => Delivery

interface Forgery {
  clause: ClauseId
  /** By the name that the exchange gets. */
  forges: Readonly<Record<string, Forge>>
  /** What the genuine delivery is like that is changed. */
  wish?: Wish
  /** A server may refuse it before the receiver sees it, so 401 is not asked for. */
  anyRefusal?: true
  /** There are interpretations under which it is genuine: accepting it is a warning. */
  doubtful?: true
}

export function forgedScenario(title: string, forgery: Forgery): ReceiverScenario {
  const { clause, forges, wish, anyRefusal, doubtful } = forgery
  const names = Object.keys(forges)
  const refused = (one: Exchange) => (doubtful ? softened(notAccepted(one)) : notAccepted(one))
  type ExchangesByName = Readonly<Record<string, Exchange>>
  const all = (scenario: ExchangesByName, judge: (exchange: Exchange) => ReturnType<typeof notAccepted>) =>
    resting(exchangesIn(scenario, ['before']), () => each(exchangesIn(scenario, names), judge))
  return receiverScenario({
    title,
    exchanges: ['before', ...names, 'after[]'],
    requests: names.length + 3,
    async deliver(t: Courier) {
      await t.deliver('before', t.genuine())
      for (const [name, forge] of Object.entries(forges))
        await t.deliverForged(
          name,
          forge(t.genuine(wish), (body, secret) => t.sign(body, secret)),
        )
      await t.stands()
    },
    judge: {
      [clause]: (scenario: ExchangesByName) => all(scenario, refused),
      ...(anyRefusal ? {} : { 'RECV-401': (scenario: ExchangesByName) => all(scenario, answered401) }),
      'RECV-GENUINE': (scenario: ExchangesByName, { notes }: Context) =>
        resting(exchangesIn(scenario, ['before']), () =>
          stillAccepts((scenario['after'] ?? []) as unknown as Exchange[], notes),
        ),
    },
  })
}
