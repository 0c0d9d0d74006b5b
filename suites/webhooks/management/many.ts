/** More webhooks of one agent than a page of ten. */
import type { Judgement } from '../../scenario/judgement.ts'
import type { Driver } from '../../scenario/driver.ts'
import { every, given, notApplicable } from '../../scenario/expect.ts'
import { wasAccepted } from '../assertions/management/managed.ts'
import { createdWebhook, isListed, listedAs } from '../assertions/management/webhook-record.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { elsewhere, webhookBody } from '../webhook-body.ts'

export const mostOnPage = 11

/** Long and beyond ASCII, for names that are part of the endpoint. */
const unusual = (t: Pick<Driver, 'text' | 'uuid'>) => ({
  name: `${t.text(24)}${' Bücher 予約'.repeat(12)}`,
  endpoint_url: `${elsewhere(t)}?one=1&two=2&two=3`,
})

/** Creates webhooks until there are this many, or no more are accepted: the limit is not shown. */
export async function fillUp(t: Driver<'more[]'>, there: number): Promise<readonly Exchange[]> {
  const more: Exchange[] = []
  while (there + more.filter(wasAccepted).length < mostOnPage) {
    // The first may be refused for its unusual text.
    const body = webhookBody(t, more.length === 0 ? unusual(t) : {})
    const creation = await t.manageMore('more', { body })
    if (more.length > 0 && !wasAccepted(creation)) break
    more.push(creation)
  }
  return more
}

/** Every accepted webhook is listed, unless the list states that it is one page of several. */
export function allListed(list: Exchange, one: Exchange, others: readonly Exchange[]): Judgement {
  return given(createdWebhook(one), () => {
    const judged = every([one, ...others.filter(wasAccepted)], (creation) =>
      creation.name === 'more' ? listedAs(list, creation) : isListed(list, creation),
    )
    return judged.is === 'inconclusive' ? notApplicable('the list does not show all of them at once') : judged
  })
}
