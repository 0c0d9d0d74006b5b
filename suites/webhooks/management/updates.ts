/** The effect of an update on the list and on deliveries, and the members that it leaves unchanged. */
import { scenario, type Context, type Judgement } from '../../scenario/scenario.ts'
import { object } from '../../assertions/answer.ts'
import { coreOf, shownCharacters } from '../assertions/management/disclosure.ts'
import {
  someArrived,
  quietSince,
  reached,
  noneArrived,
  since,
  until,
  arrivalsFirst,
  attemptsIn,
  deliveriesIn,
  envelope,
  deliveredEvent,
  isTestDelivery,
} from '../assertions/deliveries.ts'
import { carriesCustom, idsApart } from '../assertions/delivery.ts'
import { endedBySuccess } from '../assertions/management/attempts.ts'
import {
  all,
  check,
  every,
  given,
  observed,
  pass,
  inTurn,
  need,
  fail,
  inconclusive,
  warn,
} from '../../scenario/expect.ts'
import {
  resultOf,
  requestAccepted,
  createdWebhook,
  createdInUtc,
  judgeEntry,
  entryOf,
  sameBut,
  refusedCredentials,
  sameUrl,
  showsUpdated,
  wasAccepted,
  type Lasting,
  type Lists,
} from '../assertions/management/webhook-record.ts'
import { allSigned } from '../assertions/signature.ts'
import { asked } from '../../assertions/turn.ts'
import { isUtcTime } from '../../assertions/utc-time.ts'
import type { Exchange } from '../../wire/exchange.ts'
import {
  listWithAll,
  listWith,
  everyEvent,
  mustBeCreated,
  sampleTo,
  untilSilent,
  webhookBody,
} from '../webhook-requests.ts'

export const name = scenario({
  title: 'an update changes the name and nothing else, and the secret is masked in the list',
  exchanges: ['creation', 'before', 'update', 'list', 'log', 'off', 'described', 'afterwards'],
  needs: { session: true },
  cost: { requests: 9, turns: 0 },
  async run(t) {
    const creation = await t.manage('creation', { body: webhookBody(t) })
    const { id, secret } = mustBeCreated(t, creation)
    const path = `/${encodeURIComponent(id)}`
    const masked = entryOf(await t.manage('before', listWithAll(creation)), creation)?.['secret_key_preview']
    // The record does not contain the secret, so note here how much of it is shown.
    if (typeof masked === 'string') {
      t.note('shown', String(shownCharacters(secret, masked)))
      t.note('of', coreOf(secret).length)
    }
    const renamed = { name: t.text(24) }
    await t.manage('update', { method: 'PATCH', path, body: renamed })
    await t.manage('list', listWith({ id }, renamed))
    await t.manage('log', { path: `${path}/logs` })
    await t.manage('off', { method: 'PATCH', path, body: { is_active: false } })
    await t.manage('described', { method: 'PATCH', path, body: { description: t.text(32) } })
    await t.manage('afterwards')
  },
  judge: {
    'HOOK-UPDATE-NAME': ({ creation, update, list }) =>
      inTurn(need(createdWebhook(creation)), requestAccepted(update), () =>
        judgeEntry(list, creation, ({ name: listed }) =>
          check(listed === asked(update)?.['name'], 'the new name', JSON.stringify(listed) ?? 'none', list),
        ),
      ),
    'HOOK-UPDATE-REST': ({ creation, before, update, list }) =>
      given(requestAccepted(update), () =>
        sameBut('name', creation, { before, after: list, updates: [update] }),
      ),
    'HOOK-LIST-PREVIEW': ({ creation, before }, context) => preview(before, creation, context),
  },
  observe: {
    'GAP-SECRET-PREVIEW': ({ creation }, { notes }) =>
      given(createdWebhook(creation), () =>
        notes['shown'] === undefined
          ? inconclusive('there is no preview')
          : observed(`it shows ${notes['shown']} characters of the secret`),
      ),
    'GAP-WEBHOOK-BODIES': ({ creation, update }) =>
      given(createdWebhook(creation), () =>
        observed(`an update is ${resultOf(update)}, with ${bodyOf(update)}`),
      ),
    'GAP-UPDATE-DESCRIPTION': ({ creation, described, afterwards }) =>
      given(createdWebhook(creation), () => {
        const isNew = entryOf(afterwards, creation)?.['description'] === asked(described)?.['description']
        return observed(`it is ${resultOf(described)} and ${isNew ? 'listed' : 'not listed'}`)
      }),
    'GAP-TURN-OFF': ({ creation, off, afterwards }) =>
      given(createdWebhook(creation), () =>
        observed(
          `\`is_active: false\` is ${resultOf(off)} and listed as ${JSON.stringify(entryOf(afterwards, creation)?.['is_active'])}`,
        ),
      ),
  },
})

/** With so few characters masked, a secret is shown. */
const leastMasked = 4

/** How much of it may be shown is not stated: less than half is certainly masked. */
function preview(list: Exchange, creation: Exchange, { notes }: Context): Judgement {
  return judgeEntry(list, creation, ({ secret_key_preview: masked }) => {
    const expected = 'a `secret_key_preview` with less than half of the secret'
    if (typeof masked !== 'string' || masked === '')
      return fail(expected, `\`secret_key_preview\`: ${JSON.stringify(masked) ?? 'none'}`, list)
    const shown = Number(notes['shown'])
    if (shown === Number.POSITIVE_INFINITY) return fail(expected, 'all of it', list)
    const judge = shown >= Number(notes['of']) - leastMasked ? fail : warn
    return 2 * shown < Number(notes['of']) ? pass : judge(expected, `${shown} characters`, list)
  })
}

function bodyOf(exchange: Exchange): string {
  const body = object(exchange)
  return body ? `an object of ${Object.keys(body).sort().join(', ') || 'nothing'}` : 'no object'
}

const before = { 'X-Touchstone-Changed': 'before', 'X-Touchstone-Kept': 'same' }
const after = { 'X-Touchstone-Changed': 'after', 'X-Touchstone-Kept': 'same' }

/** A single duplicate is allowed, one of each is not. */
const atOne = 3

export const samples = scenario({
  title:
    'the test route sends samples, each once and with its own id, with the headers and to the endpoint of the last update, and only to a signed-in user',
  exchanges: [
    'creation',
    'before',
    'test',
    'more[]',
    'headers',
    'between',
    'endpoint',
    'moved',
    'after',
    'refused',
    'old[]',
    'new[]',
  ],
  needs: { session: true, receiver: true },
  cost: { requests: 12, turns: 0 },
  async run(t) {
    const [old, fresh] = [t.endpoint('old'), t.endpoint('new')]
    const hook = await t.webhook('creation', old, { custom_headers: before })
    const path = `/${encodeURIComponent(hook.id)}`
    const { count } = old
    await t.manage('test', sampleTo(hook))
    t.note('atOnce', await old.arrived(count + 1, atOnceMs))
    await old.arrived(count + 1)
    const another = async (): Promise<void> => {
      const { count: sofar } = old
      await t.manageMore('more', sampleTo(hook))
      await old.arrived(sofar + 1)
    }
    await another()
    await t.manage('before', listWith(hook))
    await t.manage('headers', { method: 'PATCH', path, body: { custom_headers: after } })
    await another()
    await t.manage('between', listWith(hook, { custom_headers: after }))
    await t.manage('endpoint', { method: 'PATCH', path, body: { endpoint_url: fresh.url } })
    await t.manage('moved', sampleTo(hook))
    await fresh.arrived(1)
    await t.manage('after', listWith(hook, { endpoint_url: fresh.url }))
    // Samples that a service sends at creation have arrived before the key is used.
    await untilSilent(t, fresh)
    await t.manage('refused', { ...sampleTo(hook), as: 'self' })
    await t.settle(keyMs)
  },
  judge: {
    // Without a delivery the receiver may be unreachable: only a scenario with a live event can judge that.
    'HOOK-TEST': ({ creation, test, more: [again], old }, { notes }) =>
      inTurn(
        need(createdWebhook(creation)),
        requestAccepted(test),
        need(someArrived(attemptsIn(old), 'the endpoint')),
        isImmediate(notes, test),
        () =>
          again && wasAccepted(again) && until(old, again).length > 0
            ? reached(since(old, again), 'a sample, as before', again)
            : pass,
      ),
    'HOOK-KEY-READ': ({ refused, test, old, new: fresh }) =>
      given(all(requestAccepted(test), someArrived(attemptsIn(old), 'the endpoint')), () =>
        all(
          refusedCredentials(refused, 'a test with an API key'),
          noneArrived(since([...old, ...fresh], refused).filter(isTestDelivery), 'no sample for the key'),
        ),
      ),
    'DLV-ID-UNIQUE': ({ endpoint, old }) => idsApart([until(old, endpoint)], atOne),
    'ATT-DELIVERED': ({ old, new: fresh }) =>
      arrivalsFirst([...old, ...fresh], (arrived) => endedBySuccess(deliveriesIn(arrived))),
    'HOOK-LIST-CREATED-AT': ({ creation, before: listed, old }) => createdBefore(listed, creation, old),
    'HOOK-UPDATE-HEADERS': ({ headers, old }) =>
      inTurn(
        requestAccepted(headers),
        need(someArrived(since(old, headers), 'the endpoint after the update')),
        need(every(until(old, headers), (one) => carriesCustom(one, before))),
        () => every(since(old, headers), (one) => carriesCustom(one, after)),
      ),
    'HOOK-UPDATE-ENDPOINT': ({ creation, endpoint, moved, after: list, old, new: fresh }) =>
      inTurn(need(createdWebhook(creation)), requestAccepted(endpoint), () =>
        all(
          judgeEntry(list, creation, ({ endpoint_url: listed }) =>
            check(
              sameUrl(listed, asked(endpoint)?.['endpoint_url']),
              'the new endpoint in the list',
              JSON.stringify(listed) ?? 'none',
              list,
            ),
          ),
          inTurn(
            need(someArrived(until(old, endpoint), 'the old endpoint')),
            need(requestAccepted(moved)),
            () =>
              all(
                reached(since(fresh, endpoint), 'a delivery at the new endpoint', moved),
                noneArrived(since(old, endpoint), 'no delivery at the old endpoint'),
              ),
          ),
        ),
      ),
    'HOOK-UPDATE-REST': ({
      creation,
      headers,
      endpoint,
      old,
      new: fresh,
      before: first,
      between,
      after: last,
    }) => {
      const arrived = [...old, ...fresh]
      const rest = (changed: Lasting, update: Exchange, listed: Pick<Lists, 'before' | 'after'>): Judgement =>
        inTurn(
          need(requestAccepted(update)),
          // A signature that never matched is not caused by an update.
          need(allSigned(until(arrived, update), creation)),
          () =>
            all(
              allSigned(since(arrived, update), creation),
              sameBut(changed, creation, { ...listed, updates: [update] }),
            ),
        )
      return all(
        rest('custom_headers', headers, { before: first, after: between }),
        rest('endpoint_url', endpoint, { before: between, after: last }),
      )
    },
  },
  observe: {
    'GAP-WEBHOOK-BODIES': ({ creation, test }) =>
      given(createdWebhook(creation), () =>
        observed(`a test is ${resultOf(test)}, with ${object(test) ? 'an object' : 'no object'}`),
      ),
  },
})

/** On the target's clock. "Immediately" is no number: this is far longer than a queue takes. */
const atOnceMs = 20_000

function isImmediate({ atOnce }: Context['notes'], test: Exchange): Judgement {
  return check(atOnce !== false, `a sample within ${atOnceMs / 1_000} seconds`, 'one that came later', test)
}

/** Time on the target's clock for a sample that the key may have caused. */
const keyMs = 1_000

/** Clocks of one service do not differ by more than this. */
const apartMs = 15 * 60_000

/** `created_at` is in UTC like the time of a delivery: it is not after that of one that arrived. */
function createdBefore(list: Exchange, creation: Exchange, arrived: readonly Exchange[]): Judgement {
  const [first] = attemptsIn(arrived).map((one) => envelope(one)?.timestamp)
  return inTurn(
    need(someArrived(attemptsIn(arrived), 'the endpoint')),
    need(check(isUtcTime(first), 'a delivery with a time in UTC', JSON.stringify(first) ?? 'none')),
    need(createdInUtc(list, creation)),
    () =>
      judgeEntry(list, creation, ({ created_at: at }) =>
        check(
          Date.parse(String(at)) - Date.parse(String(first)) < apartMs,
          `a creation before the delivery of ${String(first)}`,
          `\`created_at\`: ${String(at)}`,
          list,
        ),
      ),
  )
}

export const events = scenario({
  title: 'an update of the events changes which are sent',
  exchanges: ['leaving', 'joining', 'left', 'joined', 'list', 'leaver[]', 'joiner[]'],
  needs: { session: true, receiver: true, event: 'any' },
  cost: { requests: 9, turns: 2 },
  async run(t) {
    const [leaver, joiner] = [t.endpoint('leaver'), t.endpoint('joiner')]
    const other = everyEvent.find((event) => event !== t.event && !chatty.includes(event)) ?? t.event
    const one = await t.webhook('leaving', leaver, { events: [t.event] })
    const two = await t.webhook('joining', joiner, { events: [other] })
    await t.emit()
    await leaver.arrived(1)
    const select = (id: string, event: string) =>
      ({ method: 'PATCH', path: `/${encodeURIComponent(id)}`, body: { events: [event] } }) as const
    t.note('event', t.event)
    await t.manage('left', select(one.id, other))
    await t.manage('joined', select(two.id, t.event))
    await t.manage('list', listWith(two, { events: [t.event] }))
    await t.emit()
    await joiner.arrived(1)
    await t.settle(graceMs)
  },
  judge: {
    'HOOK-UPDATE-EVENTS': ({ leaving, joining, left, joined, list, leaver, joiner }, { notes }) =>
      inTurn(
        need(someArrived(until(leaver, left), 'the endpoint that had selected the event')),
        all(requestAccepted(left), requestAccepted(joined)),
        () =>
          all(
            selectedNow(list, leaving, left),
            selectedNow(list, joining, joined),
            reached(since(joiner, joined), 'the event at the webhook that selected it', joined),
            inTurn(
              need(someArrived(since(joiner, joined), 'the webhook that selected the event')),
              need(
                // If the selection has no effect at all, an update of it cannot be judged.
                noneArrived(of(until(joiner, joined), notes['event']), 'no event before it was selected'),
              ),
              () =>
                selectedNow(list, leaving, left).is === 'warn'
                  ? pass
                  : quietSince(
                      left,
                      of(leaver, notes['event']),
                      joiner,
                      'no such event at the webhook that gave it up',
                    ),
            ),
          ),
      ),
  },
})

/** The list shows the events of an update; earlier ones beside them warn. */
function selectedNow(list: Exchange, creation: Exchange, update: Exchange): Judgement {
  return showsUpdated(list, creation, 'events', asked(update)?.['events'])
}

function of(arrived: readonly Exchange[], event: unknown): readonly Exchange[] {
  return arrived.filter((one) => deliveredEvent(one) === event)
}

/** Events that a turn may cause by itself. */
const chatty: readonly string[] = ['message.sent', 'tool.executed']

/** Additional time on the target's clock for a second endpoint after the first one was reached. */
const graceMs = 2_000
