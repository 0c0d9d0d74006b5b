/** Keys that a careless parser confuses: each is a key of its own. */
import { scenario, type Driver, type Judgement } from '../../scenario/scenario.ts'
import { statusOf } from '../../assertions/answer.ts'
import { all, given, notApplicable } from '../../scenario/expect.ts'
import { ran, unless } from '../../assertions/once.ts'
import { repliesApart } from '../assertions/race.ts'
import type { Exchange } from '../../wire/exchange.ts'

/** Numbers with this many digits are exact in every language, as integers and as floats. */
const mostDigits = 15

/** Random digits, of which the first is not zero. */
function digits({ uuid }: Pick<Driver, 'uuid'>): string {
  const number = BigInt(`0x${uuid().replaceAll('-', '').slice(0, 12)}`)
  return `7${number
    .toString()
    .padStart(mostDigits, '0')
    .slice(1 - mostDigits)}`
}

/** Two keys, each with its own message: both turns run. */
function twoTurns(one: Exchange, other: Exchange): Judgement {
  return given(ran(one), () => unless(ran(other), () => repliesApart([[one], [other]])))
}

export const keys = scenario({
  title: 'keys that are equal as numbers, or as the first item of a list, belong to separate turns',
  exchanges: ['zeros', 'none', 'list', 'otherList'],
  cost: { requests: 4, turns: 4 },
  async run(t) {
    const [number, stem] = [digits(t), t.key()]
    const inHeader = (key: string) =>
      ({ message: t.text(40), idempotency_key: null, headers: [['Idempotency-Key', key]] }) as const
    await t.chat('zeros', { message: t.text(40), idempotency_key: `00${number}` })
    await t.chat('none', { message: t.text(40), idempotency_key: number })
    await t.chat('list', inHeader(`${stem},1`))
    await t.chat('otherList', inHeader(`${stem},2`))
  },
  judge: {
    'IDEM-KEY-DISTINCT': ({ zeros, none, list, otherList }) =>
      all(
        twoTurns(zeros, none),
        statusOf(list) === 400
          ? notApplicable('a key with a comma is refused in a header')
          : twoTurns(list, otherList),
      ),
  },
})
