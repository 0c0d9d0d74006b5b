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
  attemptsIn,
  envelope,
  deliveredEvent,
} from '../assertions/deliveries.ts'
import { carriesCustom } from '../assertions/delivery.ts'
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
  sameUrl,
  showsUpdated,
} from '../assertions/management/webhook-record.ts'
import { allSigned } from '../assertions/signature.ts'
import { asked } from '../../assertions/turn.ts'
import { isUtcTime } from '../../assertions/utc-time.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { listWithAll, listWith, everyEvent, mustBeCreated, webhookBody } from '../webhook-requests.ts'

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

export const headers = scenario({
  title: 'deliveries have the custom headers of an update, and the secret is unchanged',
  exchanges: ['creation', 'before', 'tests[]', 'update', 'arrived[]', 'list'],
  needs: { session: true, receiver: true },
  cost: { requests: 7, turns: 0 },
  async run(t) {
    const endpoint = t.endpoint('arrived')
    const { id } = await t.webhook('creation', endpoint, { custom_headers: before })
    const path = `/${encodeURIComponent(id)}`
    await t.manageMore('tests', { method: 'POST', path: `${path}/test` })
    await endpoint.arrived(1)
    const { count } = endpoint
    await t.manage('before', listWith({ id }))
    await t.manage('update', { method: 'PATCH', path, body: { custom_headers: after } })
    await t.manageMore('tests', { method: 'POST', path: `${path}/test` })
    await endpoint.arrived(count + 1)
    await t.manage('list', listWith({ id }, { custom_headers: after }))
  },
  judge: {
    'HOOK-LIST-CREATED-AT': ({ creation, before: listed, arrived }) =>
      createdBefore(listed, creation, arrived),
    'HOOK-UPDATE-HEADERS': ({ update, arrived }) =>
      inTurn(
        requestAccepted(update),
        need(someArrived(since(arrived, update), 'the endpoint after the update')),
        need(every(until(arrived, update), (one) => carriesCustom(one, before))),
        () => every(since(arrived, update), (one) => carriesCustom(one, after)),
      ),
    'HOOK-UPDATE-REST': ({ creation, before: listed, update, arrived, list }) =>
      inTurn(
        need(requestAccepted(update)),
        // A signature that never matched is not caused by an update.
        need(allSigned(until(arrived, update), creation)),
        () =>
          all(
            allSigned(since(arrived, update), creation),
            sameBut('custom_headers', creation, { before: listed, after: list, updates: [update] }),
          ),
      ),
  },
})

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

export const endpoint = scenario({
  title: 'deliveries go to the endpoint of an update, and no longer to the old one',
  exchanges: ['creation', 'before', 'listed', 'update', 'again', 'list', 'old[]', 'new[]'],
  needs: { session: true, receiver: true },
  cost: { requests: 7, turns: 0 },
  async run(t) {
    const [old, fresh] = [t.endpoint('old'), t.endpoint('new')]
    const { id } = await t.webhook('creation', old)
    const path = `/${encodeURIComponent(id)}`
    await t.manage('before', { method: 'POST', path: `${path}/test` })
    await old.arrived(1)
    await t.manage('listed', listWith({ id }))
    await t.manage('update', { method: 'PATCH', path, body: { endpoint_url: fresh.url } })
    await t.manage('again', { method: 'POST', path: `${path}/test` })
    await fresh.arrived(1)
    await t.manage('list', listWith({ id }, { endpoint_url: fresh.url }))
  },
  judge: {
    'HOOK-UPDATE-ENDPOINT': ({ creation, update, again, list, old, new: fresh }) =>
      inTurn(need(createdWebhook(creation)), requestAccepted(update), () =>
        all(
          judgeEntry(list, creation, ({ endpoint_url: listed }) =>
            check(
              sameUrl(listed, asked(update)?.['endpoint_url']),
              'the new endpoint in the list',
              JSON.stringify(listed) ?? 'none',
              list,
            ),
          ),
          inTurn(
            need(someArrived(until(old, update), 'the old endpoint')),
            need(requestAccepted(again)),
            () =>
              all(
                reached(since(fresh, update), 'a delivery at the new endpoint', again),
                noneArrived(since(old, update), 'no delivery at the old endpoint'),
              ),
          ),
        ),
      ),
    'HOOK-UPDATE-REST': ({ creation, listed, update, list, old, new: fresh }) =>
      inTurn(need(requestAccepted(update)), need(allSigned(until(old, update), creation)), () =>
        all(
          allSigned(since(fresh, update), creation),
          sameBut('endpoint_url', creation, { before: listed, after: list, updates: [update] }),
        ),
      ),
  },
})

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
