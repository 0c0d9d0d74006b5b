/** The form of a delivery: its headers, its envelope, its ids. */
import type { Identifiers } from '../../../spec/identifiers.ts'
import { scenario, type Needs, type Judgement, type Driver } from '../../scenario/scenario.ts'
import { object } from '../../assertions/answer.ts'
import { arrivalsFirst, deliveredEvent, attemptsIn } from '../assertions/deliveries.ts'
import {
  eachAttempt,
  sampleFlag,
  hasUserAgent,
  idBegins,
  isJsonTyped,
  namesItsEvent,
  customHeaders,
  rawOnes,
  sampleIds,
} from '../assertions/delivery.ts'
import { all, observed, every, given, inconclusive, pass, notApplicable } from '../../scenario/expect.ts'
import { hexCase, secretsApart, signedWith } from '../assertions/signature.ts'
import { secretOf } from '../../wire/signature-facts.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { listWithAll, sampleTo, elsewhere, webhookBody } from '../webhook-requests.ts'
import { wasAccepted, createdWebhook, isListed, listedAs } from '../assertions/management/webhook-record.ts'

const mostOnPage = 11

/** Long and beyond ASCII, for names that are part of the endpoint. */
const unusual = (t: Pick<Driver, 'text' | 'uuid'>) => ({
  name: `${t.text(24)}${' Bücher 予約'.repeat(12)}`,
  endpoint_url: `${elsewhere(t)}?one=1&two=2&two=3`,
})

/** Creates webhooks until there are this many, or no more are accepted: the limit is not shown. */
async function fillUp(t: Driver<'more[]'>, there: number): Promise<readonly Exchange[]> {
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
function allListed(list: Exchange, one: Exchange, others: readonly Exchange[]): Judgement {
  return given(createdWebhook(one), () => {
    const judged = every([one, ...others.filter(wasAccepted)], (creation) =>
      creation.name === 'more' ? listedAs(list, creation) : isListed(list, creation),
    )
    return judged.is === 'inconclusive' ? notApplicable('the list does not show all of them at once') : judged
  })
}

const needs: Needs = { session: true, receiver: true }

/** Characters that serializers write in different ways: Latin, a surrogate pair, a line separator, quotes, a slash. */
const written = 'Café ☕ 😀 \u2028 "quoted" a/b'

export const test = scenario({
  title:
    'a test delivery looks like any other, and each webhook signs with its own secret, at the address of one that was removed too',
  exchanges: ['before', 'removal', 'hook', 'other', 'tests[]', 'arrived[]', 'elsewhere[]'],
  needs,
  cost: { requests: 8, turns: 0 },
  profile: 'smoke',
  async run(t) {
    const [place, another] = [t.endpoint('arrived'), t.endpoint('elsewhere')]
    const { id } = await t.webhook('before', place, { custom_headers: customHeaders })
    await t.manage('removal', { method: 'DELETE', path: `/${encodeURIComponent(id)}` })
    // A sample may repeat the name of its webhook, and a lead at least names a customer.
    const hook = await t.webhook('hook', place, {
      name: written,
      description: written,
      events: ['leads.submit'],
      custom_headers: customHeaders,
    })
    const other = await t.webhook('other', another, { custom_headers: { 'X-Touchstone-Own': 'second' } })
    t.note('event', t.event)
    await t.manageMore('tests', sampleTo(hook))
    await t.manageMore('tests', sampleTo(other))
    await place.arrived(1)
    await another.arrived(1)
  },
  judge: {
    'DLV-ID-TEST': ({ arrived, elsewhere }) => sampleIds([...arrived, ...elsewhere]),
    'SIGN-SECRET-OWN': ({ before, hook, other }) => secretsApart([before, hook, other]),
    ...rawOnes,
  },
  observe: {
    'GAP-TEST-EVENT': ({ elsewhere }, { notes }) =>
      arrivalsFirst(elsewhere, ([first]) => {
        const event = first ? deliveredEvent(first) : null
        return observed(
          event === notes['event'] ? 'the event that was selected' : `${event}, whatever was selected`,
        )
      }),
    'GAP-TEST-FLAG': ({ arrived }) => sampleFlag(arrived),
    'GAP-HEX-CASE': ({ arrived }) => hexCase(arrived),
  },
})

/** Values that no service sends by itself. */
const forgedOf = ({ signatureHeader, deliveryIdHeader, eventHeader }: Identifiers): Headers => ({
  [signatureHeader]: `sha256=${'0'.repeat(64)}`,
  [deliveryIdHeader]: 'forged',
  [eventHeader]: 'forged',
})
const plain = { 'content-type': 'text/plain', 'user-agent': 'forged' }

type Headers = Readonly<Record<string, string>>
const renamed = (headers: Headers, rename: (name: string) => string): Headers =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [rename(name), value]))

/** Who compares without regard to case finds all of them. */
const casings: readonly ((name: string) => string)[] = [
  (name) => name,
  (name) => name.toUpperCase(),
  (name) => name.replaceAll(/[a-z](?=[a-z]\b)/g, (letter) => letter.toUpperCase()),
]

/** Those of the service apart from those of HTTP: a refusal of the latter must not hide the former. */
const reservingOf = (identifiers: Identifiers): readonly Headers[] =>
  casings.flatMap((rename) => [forgedOf(identifiers), plain].map((headers) => renamed(headers, rename)))

export const reservedHeaders = scenario({
  title: 'a custom header does not replace one of the service, and each of many webhooks is listed',
  exchanges: ['hook', 'test', 'plain[]', 'creation[]', 'tests[]', 'arrived[]', 'more[]', 'list'],
  needs,
  cost: { requests: 3 * (2 * casings.length + 1) + 2 * mostOnPage, turns: 0 },
  async run(t) {
    const control = t.endpoint('plain')
    const hook = await t.webhook('hook', control, { custom_headers: customHeaders })
    await t.manage('test', sampleTo(hook))
    await control.arrived(1)
    const taken: Exchange[] = []
    for (const custom_headers of reservingOf(t.identifiers)) {
      const place = t.endpoint('arrived')
      const body = { name: t.text(24), endpoint_url: place.url, events: [t.event], custom_headers }
      const creation = await t.manageMore('creation', { body })
      const id = object(creation)?.['id']
      if (typeof id !== 'string') continue
      taken.push(creation)
      await t.manageMore('tests', sampleTo({ id, secret: '' }))
      await place.arrived(1)
    }
    taken.push(...(await fillUp(t, taken.length + 1)))
    await t.manage('list', listWithAll(...taken))
  },
  judge: {
    'HOOK-LIST-AS-SENT': ({ hook, creation, more, list }) => allListed(list, hook, [...creation, ...more]),
    'DLV-RESERVED-HEADERS': ({ hook, creation, arrived, plain }) => {
      // Each of these webhooks was refused, or its test arrived with each header of the service once, as for the control.
      const control = { creation: hook, arrived: plain }
      return given(
        eachAttempt(control.arrived, (one) => hasItsOwn(one, [control.creation])),
        () => {
          const attempts = attemptsIn(arrived)
          if (creation.length > 0 && creation.every(refused)) return pass
          if (attempts.length === 0) return inconclusive('no webhook with such a header got its test')
          // The secret that signs is not judged here: any known one counts.
          return every(attempts, (one) => hasItsOwn(one, [control.creation, ...creation.filter(accepted)]))
        },
      )
    },
  },
  observe: {
    'GAP-RESERVED-HEADER': ({ creation, plain }) => reservedSeen(creation, plain),
  },
})

function accepted({ response }: Exchange): boolean {
  return response !== null && response.status >= 200 && response.status <= 299
}

function refused({ response }: Exchange): boolean {
  return response !== null && response.status >= 400 && response.status <= 499
}

/** The headers of the service. The secret shows which of the webhooks it is. */
function hasItsOwn(attempt: Exchange, creations: readonly Exchange[]): Judgement {
  const secrets = creations.map(secretOf).filter((secret) => secret !== null)
  return all(
    isJsonTyped(attempt),
    hasUserAgent(attempt),
    namesItsEvent(attempt),
    idBegins(attempt, 'test_'),
    signedByOneOf(attempt, secrets),
  )
}

/** The signature is that of one of these webhooks, and not the value of the custom header. */
function signedByOneOf(attempt: Exchange, secrets: readonly string[]): Judgement {
  const judged = secrets.map((secret) => signedWith(attempt, secret))
  if (judged.some(({ is }) => is === 'pass')) return pass
  return judged[0] ?? inconclusive('no creation returned a secret')
}

function reservedSeen(creations: readonly Exchange[], control: readonly Exchange[]): Judgement {
  return given(attemptsIn(control).length > 0 ? pass : inconclusive('nothing reached the receiver'), () => {
    const [taken, not] = [creations.filter(accepted).length, creations.filter(refused).length]
    return observed(not === 0 ? 'passed over' : taken === 0 ? 'refused' : 'some refused, some passed over')
  })
}
