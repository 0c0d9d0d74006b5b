/** Webhooks with texts of every kind in their members: they come back as they were sent, in the list and in deliveries. */
import { scenario, type Judgement } from '../../scenario/scenario.ts'
import type { Endpoint } from '../../scenario/webhook-driver.ts'
import type { Profile } from '../../config/target.ts'
import { every, given, pass, softened } from '../../scenario/expect.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { asked } from '../../assertions/turn.ts'
import { drawn, oddKinds, plainKinds, valueKinds, valueOf, type ValueKind } from '../../values/values.ts'
import { attemptsIn, someArrived } from '../assertions/deliveries.ts'
import { carriesCustom } from '../assertions/delivery.ts'
import {
  wasAccepted,
  createdWebhook,
  identityOf,
  listedAs,
  type Identity,
} from '../assertions/management/webhook-record.ts'
import { listWithAll, sampleTo, webhookBody } from '../webhook-requests.ts'

const asciiKinds = plainKinds.filter((kind) => /^[\x21-\x7e][\x20-\x7e]*$/.test(valueOf(kind)))
const header = 'X-Touchstone-Value'
const atOnce = 3

const hasOdd = (creation: Exchange): boolean => {
  const { name, description } = asked(creation) ?? {}
  return oddKinds.some((kind) => `${String(name)} ${String(description)}`.includes(valueOf(kind)))
}

/** What a service may refuse, or alter, warns. */
const unlessOdd = (creation: Exchange, judgement: Judgement): Judgement =>
  hasOdd(creation) ? softened(judgement) : judgement

const customOf = (creation: Exchange): Readonly<Record<string, string>> =>
  (asked(creation)?.['custom_headers'] ?? {}) as Readonly<Record<string, string>>

const valuesScenario = (count: number, profile: Profile) =>
  scenario({
    title: `${count} webhooks with texts of every kind are listed as they were sent, and carry their headers`,
    exchanges: ['plain', 'creations[]', 'lists[]', 'tests[]', 'arrived[]', 'removals[]'],
    needs: { session: true, receiver: true },
    cost: { requests: 2 + 5 * count, turns: 0 },
    profile,
    async run(t) {
      await t.manage('plain', { body: webhookBody(t) })
      const [names, words] = [drawn(t, valueKinds, count), drawn(t, valueKinds, count)]
      const values = drawn(t, asciiKinds, count)
      // A few at a time: there may be a limit on the webhooks of an agent.
      for (let from = 0; from < names.length; from += atOnce) {
        const taken: { creation: Exchange; hook: Identity; place: Endpoint }[] = []
        for (const [after, kind] of names.slice(from, from + atOnce).entries()) {
          const place = t.endpoint('arrived')
          const valueAt = (kinds: readonly ValueKind[]): string =>
            valueOf(kinds[(from + after) % kinds.length] ?? kind)
          const creation = await t.manageMore('creations', {
            body: webhookBody(t, {
              name: `${valueOf(kind)} ${t.text(8)}`,
              description: valueAt(words),
              endpoint_url: `${place.url}?q=${encodeURIComponent(valueAt(values))}&two=1&two=2`,
              custom_headers: { [header]: valueAt(values) },
            }),
          })
          const hook = identityOf(creation)
          if (hook) taken.push({ creation, hook, place })
        }
        await t.manageMore('lists', listWithAll(...taken.map(({ creation }) => creation)))
        for (const { hook } of taken) await t.manageMore('tests', sampleTo(hook))
        for (const { place } of taken) await place.arrived(1)
        // The last are removed as every webhook of a scenario is.
        for (const { hook } of from + atOnce < names.length ? taken : [])
          await t.manageMore('removals', { method: 'DELETE', path: `/${encodeURIComponent(hook.id)}` })
      }
    },
    judge: {
      'HOOK-CREATE': ({ plain, creations }) =>
        given(createdWebhook(plain), () =>
          every(creations, (one) => (hasOdd(one) ? pass : softened(createdWebhook(one)))),
        ),
      'HOOK-LIST-AS-SENT': ({ creations, lists }) =>
        every(
          creations.filter((one) => identityOf(one) !== null),
          (creation) => {
            const list = lists.find(({ id }) => id > creation.id)
            return list ? unlessOdd(creation, listedAs(list, creation)) : pass
          },
        ),
      'DLV-CUSTOM-HEADERS': ({ creations, arrived }) =>
        given(someArrived(attemptsIn(arrived), 'the endpoints'), () =>
          every(attemptsIn(arrived), (one) => {
            const own = creations.filter(
              (creation) => wasAccepted(creation) && urlOf(creation).endsWith(one.inbound?.place ?? '\n'),
            )
            return every(own, (creation) => carriesCustom(one, customOf(creation)))
          }),
        ),
    },
  })

/** Without its query. */
const urlOf = (creation: Exchange): string => String(asked(creation)?.['endpoint_url']).split('?', 1)[0] ?? ''

export const some = valuesScenario(6, 'standard')
export const each = valuesScenario(valueKinds.length, 'exhaustive')
