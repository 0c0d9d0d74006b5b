/** As many webhooks of one agent as a list that is cut at ten does not show. */
import type { Judgement } from '../../scenario/judgement.ts'
import type { Driver } from '../../scenario/driver.ts'
import { every, given, notApplicable } from '../../scenario/expect.ts'
import { wasTaken } from '../assertions/management/managed.ts'
import { created, isListed, listedAs } from '../assertions/management/webhook-record.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { elsewhere, webhookBody } from '../webhook-body.ts'

export const many = 11

/** Long, and not in ASCII; what an endpoint is asked for is a part of it. */
const unusual = (t: Pick<Driver, 'text' | 'uuid'>) => ({
  name: `${t.text(24)}${' Bücher 予約'.repeat(12)}`,
  endpoint_url: `${elsewhere(t)}?one=1&two=2&two=3`,
})

/** Creates more until there are so many, or no more is taken: how many there may be is not shown. */
export async function fillUp(t: Driver<'more[]'>, there: number): Promise<readonly Exchange[]> {
  const more: Exchange[] = []
  while (there + more.filter(wasTaken).length < many) {
    // The first may be refused for what is unusual in it.
    const body = webhookBody(t, more.length === 0 ? unusual(t) : {})
    const creation = await t.manageMore('more', { body })
    if (more.length > 0 && !wasTaken(creation)) break
    more.push(creation)
  }
  return more
}

/** Whatever was taken is listed, unless the list says that it is one page of several. */
export function allListed(list: Exchange, one: Exchange, others: readonly Exchange[]): Judgement {
  return given(created(one), () => {
    const judged = every([one, ...others.filter(wasTaken)], (creation) =>
      creation.name === 'more' ? listedAs(list, creation) : isListed(list, creation),
    )
    return judged.is === 'inconclusive' ? notApplicable('the list does not show all of them at once') : judged
  })
}
