/** The rate limit of a key in the older variant, as shown by its headers. */
import { scenario } from '../scenario/scenario.ts'
import { every, given, inconclusive, measured } from '../scenario/expect.ts'
import { object, status } from '../assertions/answer.ts'
import { limitedAbove, nestedError, rateNumber } from './assertions/older.ts'
import { isLimited } from '../chat/assertions/rate.ts'
import { replied } from '../assertions/turn.ts'

/** A higher limit is not tested. */
const highest = 60
/** A fixed window allows twice the limit across its boundary. */
const flooding = 2 * highest

export const limited = scenario({
  title: 'more requests than the limit in the headers cause a 429',
  exchanges: ['first', 'flood[]'],
  needs: { older: 'limited', optIn: ['costly'], extra: true },
  cost: { requests: 1 + flooding, turns: 1 + flooding },
  async run(t) {
    const first = await t.older('first', { message: t.text(20) })
    const limit = rateNumber(first, 'x-ratelimit-limit') ?? t.stop('the response has no limit')
    if (limit > highest) t.stop(`the limit is ${limit}; at most ${highest} is looked for`)
    for (let sent = 0; sent < 2 * limit; sent++)
      if (isLimited(await t.olderMore('flood', { message: t.text(20) }))) return
  },
  judge: {
    'OLD-RATE': ({ first, flood }) => limitedAbove(first, flood),
    'OLD-ERROR': ({ first, flood }) =>
      given(replied(first), () =>
        flood.some(isLimited)
          ? every(flood.filter(isLimited), nestedError)
          : inconclusive('there was no 429'),
      ),
  },
  observe: {
    'GAP-OLDER-RETRY-AFTER': ({ flood }) =>
      every(flood.slice(-1), (one) =>
        given(status(one, 429), () =>
          measured(`with a 429: ${JSON.stringify(object(one)?.['error']) ?? 'no error'}`),
        ),
      ),
  },
})
