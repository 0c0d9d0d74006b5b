/** Webhooks with texts of every kind in their members: they come back as they were sent, in the list and in deliveries. */
import { scenario, type Driver, type Judgement } from '../../scenario/scenario.ts'
import type { Endpoint } from '../../scenario/webhook-driver.ts'
import type { Profile } from '../../config/target.ts'
import { answered } from '../../assertions/answer.ts'
import { all, check, every, given, pass, softened } from '../../scenario/expect.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { asked } from '../../assertions/turn.ts'
import { drawn, oddKinds, plainKinds, valueKinds, valueOf, type ValueKind } from '../../values/values.ts'
import { attemptsIn, deliveredHeaderValues, someArrived } from '../assertions/deliveries.ts'
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

/** Arrives as a separate header if a line break in a value or a name is sent unchanged. */
const injected = 'X-Touchstone-Injected'
const withLines: readonly Readonly<Record<string, string>>[] = [
  { 'X-Touchstone-Broken': `one\r\n${injected}: two` },
  { [`X-Touchstone-Broken: one\r\n${injected}`]: 'two' },
]
/** Time on the target's clock; a header that cannot be sent may prevent its delivery. */
const linesMs = 5_000

async function sendLines(t: Driver<'lined[]' | 'tests[]' | 'broken[]'>): Promise<void> {
  for (const custom_headers of withLines) {
    const place = t.endpoint('broken')
    const body = webhookBody(t, { endpoint_url: place.url, custom_headers })
    const made = identityOf(await t.manageMore('lined', { body }))
    if (!made) continue
    await t.manageMore('tests', sampleTo(made))
    await place.arrived(1, linesMs)
  }
}

type Seen = Readonly<Record<'creations' | 'lists' | 'arrived' | 'lined' | 'broken', readonly Exchange[]>>

const someCreated = (creations: readonly Exchange[]): Judgement =>
  all(
    ...(creations.some((one) => createdWebhook(one).is === 'pass') ? [pass] : creations.map(createdWebhook)),
  )

const judge = {
  'DLV-HEADER-LINES': ({ lined, arrived, broken }: Seen) =>
    all(
      every(lined, (one) => answered(one)),
      someArrived(attemptsIn(arrived), 'the endpoints of other headers'),
      ...broken.map(isFree),
    ),
  'HOOK-CREATE': ({ creations }: Seen) =>
    given(someCreated(creations), () =>
      every(creations, (one) => (hasOdd(one) ? pass : softened(createdWebhook(one)))),
    ),
  'HOOK-LIST-AS-SENT': ({ creations, lists }: Seen) =>
    given(someCreated(creations), () =>
      every(creations, (creation) => {
        const list = identityOf(creation) && lists.find(({ id }) => id > creation.id)
        return list ? unlessOdd(creation, listedAs(list, creation)) : pass
      }),
    ),
  'DLV-CUSTOM-HEADERS': ({ creations, arrived }: Seen) =>
    given(someArrived(attemptsIn(arrived), 'the endpoints'), () =>
      every(attemptsIn(arrived), (one) =>
        every(
          creations.filter((creation) => {
            // Whether a delivery came to the endpoint of a webhook, which has a query.
            const [url = ''] = String(asked(creation)?.['endpoint_url']).split('?', 1)
            return wasAccepted(creation) && url.endsWith(one.inbound?.place ?? '\n')
          }),
          (creation) => carriesCustom(one, customOf(creation)),
        ),
      ),
    ),
}

const valuesScenario = (count: number, profile: Profile) =>
  scenario({
    title: `${count} webhooks with texts of every kind are listed as they were sent, and carry their headers, of which none becomes two`,
    exchanges: ['creations[]', 'lists[]', 'tests[]', 'arrived[]', 'removals[]', 'lined[]', 'broken[]'],
    needs: { session: true, receiver: true },
    cost: { requests: 4 * count + 3 * withLines.length, turns: 0 },
    profile,
    async run(t) {
      // The first with nothing odd, which no service has to refuse.
      const kinds = () => [...drawn(t, plainKinds, 1), ...drawn(t, valueKinds, count - 1)]
      const [names, words] = [kinds(), kinds()]
      const values = drawn(t, asciiKinds, 2 * count)
      // A few at a time: there may be a limit on the webhooks of an agent.
      for (let from = 0; from < names.length; from += atOnce) {
        const taken: { creation: Exchange; hook: Identity; place: Endpoint }[] = []
        for (const [after, kind] of names.slice(from, from + atOnce).entries()) {
          const place = t.endpoint('arrived')
          const valueAt = (some: readonly ValueKind[], at: number): string =>
            valueOf(some[at % some.length] ?? kind)
          const creation = await t.manageMore('creations', {
            body: webhookBody(t, {
              name: `${valueOf(kind)} ${t.text(8)}`,
              description: valueAt(words, from + after),
              endpoint_url: `${place.url}?q=${encodeURIComponent(valueAt(values, from + after))}&two=1&two=2`,
              custom_headers: {
                'X-Touchstone-Value': valueAt(values, from + after),
                'X-Touchstone-Other': valueAt(values, count + from + after),
              },
            }),
          })
          const hook = identityOf(creation)
          if (hook) taken.push({ creation, hook, place })
        }
        await t.manageMore('lists', listWithAll(...taken.map(({ creation }) => creation)))
        for (const { hook } of taken) await t.manageMore('tests', sampleTo(hook))
        for (const { place } of taken) await place.arrived(1)
        for (const { hook } of taken)
          await t.manageMore('removals', { method: 'DELETE', path: `/${encodeURIComponent(hook.id)}` })
      }
      await sendLines(t)
    },
    judge,
  })

function isFree(attempt: Exchange): Judgement {
  const [value] = deliveredHeaderValues(attempt, injected)
  return check(
    value === undefined,
    'no header but those of the webhook',
    `${injected}: ${value}, out of the value or the name of another`,
    attempt,
  )
}

export const some = valuesScenario(3, 'standard')
export const each = valuesScenario(1 + valueKinds.length, 'exhaustive')
