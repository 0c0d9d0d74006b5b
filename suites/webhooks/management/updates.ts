/** The effect of an update on the list and on deliveries, and the members that it leaves unchanged. */
import { scenario, type Context, type Judgement } from '../../scenario/scenario.ts'
import { object } from '../../assertions/answer.ts'
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
  inconclusive,
} from '../../scenario/expect.ts'
import {
  resultOf,
  requestAccepted,
  createdWebhook,
  createdInUtc,
  judgeEntry,
  entryOf,
  sameBut,
  sameLasting,
  isListed,
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
import type { Exchange, Json } from '../../wire/exchange.ts'
import type { Hook } from '../../scenario/webhook-driver.ts'
import { forcing } from '../../config/provided.ts'
import { eventState } from '../../../spec/index.ts'
import { eventsAmong } from '../assertions/events.ts'
import { chatty, elsewhere, listWith, everyEvent, sampleTo, untilSilent } from '../webhook-requests.ts'

const before = { 'X-Touchstone-Changed': 'before', 'X-Touchstone-Kept': 'same' }
/** With a further name: values may be masked, so that only names show that a list is not the earlier one. */
const after = { 'X-Touchstone-Changed': 'after', 'X-Touchstone-Kept': 'same', 'X-Touchstone-Added': 'new' }

/** A single duplicate is allowed, one of each is not. */
const atOne = 3

export const samples = scenario({
  title:
    'the test route sends samples, each once and with its own id, with the headers and to the endpoint of the last update, and only to a signed-in user',
  exchanges: [
    'creation',
    'before',
    'test',
    'listed',
    'renamed',
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
  cost: { requests: 14, turns: 0 },
  async run(t) {
    const [old, fresh] = [t.endpoint('old'), t.endpoint('new')]
    const hook = await t.webhook('creation', old, { custom_headers: before })
    const path = `/${encodeURIComponent(hook.id)}`
    const { count } = old
    await t.manage('test', sampleTo(hook))
    t.note('atOnce', await old.arrived(count + 1, atOnceMs))
    await old.arrived(count + 1)
    const another = async (): Promise<void> => {
      // By ids: the one before may come twice.
      const { deliveries } = old
      await t.manageMore('more', sampleTo(hook))
      await old.delivered(deliveries + 1)
    }
    const name = t.text(24)
    await t.manage('listed', listWith(hook))
    await t.manage('renamed', { method: 'PATCH', path, body: { name } })
    await another()
    await t.manage('before', listWith(hook, { name }))
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
            ? // Whether its id is another one is judged by itself.
              reached(
                attemptsIn(old).filter(({ id }) => id > again.id),
                'a sample, as before',
                again,
              )
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
      listed: created,
      renamed,
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
      // What is not named is kept by deliveries too, whatever the list says.
      const named = until(since(old, renamed), headers)
      return all(
        inTurn(
          need(requestAccepted(renamed)),
          need(someArrived(named, 'the endpoint after the update')),
          need(every(until(old, renamed), (one) => carriesCustom(one, before))),
          () => every(named, (one) => carriesCustom(one, before)),
        ),
        rest('name', renamed, { before: created, after: first }),
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

/** Kinds of events that a separate component may send. */
const families = ['payment.verified', 'procedure.alert.created'] as const

export const events = scenario({
  title:
    'an event comes to the webhooks that selected it since, and to none that gave it up, was removed or was turned off, whatever is updated of it',
  exchanges: [
    'leaving',
    'joining',
    'gone',
    'off',
    'left',
    'joined',
    'removal',
    'test',
    'list',
    'listedOff',
    'whileOff',
    'stillOff',
    'leaver[]',
    'joiner[]',
    'removed[]',
    'quiet[]',
  ],
  // Events of another scenario may be in flight when the webhook is disabled.
  needs: { session: true, receiver: true, event: 'any', alone: true },
  cost: { requests: 18 + families.length, turns: 3 + families.length },
  async run(t) {
    const [leaver, joiner] = [t.endpoint('leaver'), t.endpoint('joiner')]
    const [removed, quiet] = [t.endpoint('removed'), t.endpoint('quiet')]
    const more = families.filter((event) => forcing.includes(t.providerOf(eventState(event))))
    const selected = [...new Set([t.event, ...more])]
    const unlike = everyEvent.find((event) => !selected.includes(event) && !chatty.includes(event)) ?? t.event
    const one = await t.webhook('leaving', leaver, { events: [t.event] })
    // One that comes later shows that this webhook is reached even if the update of it has no effect.
    const known = more.find((event) => event !== t.event) ?? unlike
    const two = await t.webhook('joining', joiner, { events: [known] })
    const gone = await t.webhook('gone', removed)
    const off = await t.webhook('off', quiet, { events: selected })
    t.note('event', t.event)
    await t.emit()
    for (const place of [leaver, removed, quiet]) await place.arrived(1)
    const change = ({ id }: Hook, body: Readonly<Record<string, Json>>) =>
      ({ method: 'PATCH', path: `/${encodeURIComponent(id)}`, body }) as const
    await t.manage('left', change(one, { events: [unlike] }))
    await t.manage('joined', change(two, { events: selected }))
    await t.manage('removal', { method: 'DELETE', path: `/${encodeURIComponent(gone.id)}` })
    await t.manage('test', sampleTo(gone))
    await t.manage('list', listWith(two, { events: selected }))
    const { deliveries } = quiet
    await t.emit()
    await joiner.arrived(1)
    // It is turned off next: what is on its way there would come after that.
    await quiet.delivered(deliveries + 1)
    await t.settle(graceMs)
    await t.optional(['listedOff', 'whileOff', 'stillOff'], async () => {
      await t.enter('webhook.inactive', { webhookId: off.id })
      await t.manage('listedOff', listWith(off, { is_active: false }))
      const { count } = joiner
      await t.emit()
      for (const event of more) await t.emit(event)
      await joiner.arrived(count + 1 + more.length)
      await t.settle(graceMs)
      const other = { name: t.text(24), endpoint_url: elsewhere(t), events: [unlike] }
      await t.manage('whileOff', change(off, other))
      await t.manage('stillOff', listWith(off, other))
    })
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
            reached(
              eventsAmong(since(joiner, joined), String(notes['event'])),
              'the event at the webhook that selected it',
              joined,
            ),
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
    'HOOK-DELETE-SILENT': ({ removal, removed, quiet, joiner }) =>
      quietSince(
        removal,
        removed,
        [...quiet, ...joiner],
        'no event, and no sample, at the webhook that was removed',
      ),
    // The absence of deliveries shows that it is disabled, whatever the list says.
    'HOOK-LIST-ACTIVE': (seen) =>
      given(isListed(seen.listedOff, seen.joining), () => {
        const { controls, silent, active, got } = turnedOff(seen)
        const expected = '`is_active`: false for a webhook that was turned off'
        return all(
          isListed(seen.listedOff, seen.off),
          given(all(controls, silent), () => check(active === false, expected, got, seen.listedOff)),
        )
      }),
    'EVT-EVERY-WEBHOOK': ({ off, listedOff, quiet, joiner }, { notes }) => {
      const event = String(notes['event'])
      const before = [quiet, joiner].map((place) => eventsAmong(until(place, listedOff), event))
      return given(
        all(isListed(listedOff, off), ...before.map((earlier) => someArrived(earlier, 'an endpoint before'))),
        () =>
          reached(
            eventsAmong(since(joiner, listedOff), event),
            'the event at the webhook that is on',
            listedOff,
          ),
      )
    },
    'HOOK-INACTIVE': (seen) =>
      given(isListed(seen.listedOff, seen.off), () => {
        const { controls, silent, active, got } = turnedOff(seen)
        return active === false
          ? inTurn(need(controls), silent)
          : inconclusive(`the webhook is listed with ${got}`)
      }),
    'HOOK-UPDATE-REST': (seen) => {
      const { off, listedOff, whileOff, stillOff } = seen
      const { active, got } = turnedOff(seen)
      const lists = { before: listedOff, after: stillOff, updates: [whileOff] }
      return inTurn(
        need(requestAccepted(whileOff)),
        // The list may show later that it was turned off.
        need(check(active === false, '`is_active`: false before the update', got, listedOff)),
        () => sameLasting(off, lists, ['name', 'endpoint_url', 'events']),
      )
    },
  },
})

/** What came while it was on and to one that is on, that nothing comes any more, and what the list says of it. */
function turnedOff({ off, listedOff, quiet, joiner }: TurnedOff) {
  const active = entryOf(listedOff, off)?.['is_active']
  return {
    controls: all(
      someArrived(until(quiet, listedOff), 'the endpoint while its webhook was on'),
      someArrived(since(joiner, listedOff), 'the webhook that is on'),
    ),
    silent: noneArrived(since(quiet, listedOff), 'no event at the webhook that was turned off'),
    active,
    got: `\`is_active\`: ${JSON.stringify(active) ?? 'none'}`,
  }
}

type TurnedOff = Readonly<
  Record<'off' | 'listedOff', Exchange> & Record<'quiet' | 'joiner', readonly Exchange[]>
>

/** The list shows the events of an update; earlier ones beside them warn. */
function selectedNow(list: Exchange, creation: Exchange, update: Exchange): Judgement {
  return showsUpdated(list, creation, 'events', asked(update)?.['events'])
}

function of(arrived: readonly Exchange[], event: unknown): readonly Exchange[] {
  return arrived.filter((one) => deliveredEvent(one) === event)
}

/** Additional time on the target's clock for a second endpoint after the first one was reached. */
const graceMs = 2_000
