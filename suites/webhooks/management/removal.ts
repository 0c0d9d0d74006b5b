/** Webhooks that were removed or disabled. */
import { forcing } from '../../config/provided.ts'
import { eventState } from '../../../spec/index.ts'
import { scenario } from '../../scenario/scenario.ts'
import { object } from '../../assertions/answer.ts'
import { someArrived, quietSince, reached, noneArrived, since, until } from '../assertions/deliveries.ts'
import { eventsAmong } from '../assertions/events.ts'
import { all, check, given, inconclusive, observed, inTurn, need } from '../../scenario/expect.ts'
import {
  resultOf,
  requestAccepted,
  createdWebhook,
  entryOf,
  isUnlisted,
  isListed,
} from '../assertions/management/webhook-record.ts'
import { listWithAll, listWith, listWithout, mustBeCreated, webhookBody } from '../webhook-requests.ts'

export const remove = scenario({
  title: 'a removed webhook is no longer listed, nor brought back by an update',
  exchanges: ['gone', 'kept', 'before', 'removal', 'update', 'after'],
  needs: { session: true },
  cost: { requests: 8, turns: 0 },
  profile: 'smoke',
  async run(t) {
    const gone = await t.manage('gone', { body: webhookBody(t) })
    const { id } = mustBeCreated(t, gone)
    const kept = await t.manage('kept', { body: webhookBody(t) })
    await t.manage('before', listWithAll(gone, kept))
    const path = `/${encodeURIComponent(id)}`
    await t.manage('removal', { method: 'DELETE', path })
    await t.manage('update', { method: 'PATCH', path, body: { name: t.text(24) } })
    await t.manage('after', listWithout(gone, kept))
  },
  judge: {
    'HOOK-DELETE': ({ gone, kept, before, removal, after }) =>
      inTurn(
        need(all(createdWebhook(gone), createdWebhook(kept))),
        need(isListed(before, gone)),
        requestAccepted(removal),
        isUnlisted(after, gone, kept),
      ),
  },
  observe: {
    'GAP-WEBHOOK-BODIES': ({ gone, removal }) =>
      given(createdWebhook(gone), () =>
        observed(`a removal is ${resultOf(removal)}, with ${object(removal) ? 'an object' : 'no object'}`),
      ),
  },
})

export const silence = scenario({
  title: 'a removed webhook receives no event and no sample',
  exchanges: ['gone', 'kept', 'removal', 'test', 'quiet[]', 'probe[]'],
  needs: { session: true, receiver: true, event: 'any' },
  cost: { requests: 7, turns: 2 },
  async run(t) {
    const [quiet, probe] = [t.endpoint('quiet'), t.endpoint('probe')]
    const { id } = await t.webhook('gone', quiet)
    await t.webhook('kept', probe)
    await t.emit()
    await quiet.arrived(1)
    await probe.arrived(1)
    const path = `/${encodeURIComponent(id)}`
    await t.manage('removal', { method: 'DELETE', path })
    await t.manage('test', { method: 'POST', path: `${path}/test` })
    const { count } = probe
    await t.emit()
    await probe.arrived(count + 1)
    await t.settle(graceMs)
  },
  judge: {
    'HOOK-DELETE-SILENT': ({ removal, quiet, probe }) =>
      quietSince(removal, quiet, probe, 'no event, and no sample, at the webhook that was removed'),
  },
})

/** Additional time on the target's clock for the other endpoint after the probe arrived. */
const graceMs = 2_000

/** Kinds of events that a separate component may send. */
const families = ['payment.verified', 'procedure.alert.created'] as const

export const inactive = scenario({
  title: 'a disabled webhook receives no event',
  exchanges: ['off', 'on', 'list', 'quiet[]', 'probe[]'],
  // Events of another scenario may be in flight when the webhook is disabled.
  needs: { session: true, receiver: true, event: 'any', alone: true },
  cost: { requests: 6 + families.length, turns: 2 + families.length },
  async run(t) {
    const [quiet, probe] = [t.endpoint('quiet'), t.endpoint('probe')]
    const more = families.filter((event) => forcing.includes(t.providerOf(eventState(event))))
    const events = [...new Set([t.event, ...more])]
    const { id } = await t.webhook('off', quiet, { events })
    await t.webhook('on', probe, { events })
    t.note('event', t.event)
    await t.emit()
    await quiet.arrived(1)
    await probe.arrived(1)
    await t.enter('webhook.inactive', { webhookId: id })
    await t.manage('list', listWith({ id }, { is_active: false }))
    const { count } = probe
    await t.emit()
    for (const event of more) await t.emit(event)
    await probe.arrived(count + 1 + more.length)
    await t.settle(graceMs)
  },
  judge: {
    // The absence of deliveries shows that it is disabled, whatever the list says.
    'HOOK-LIST-ACTIVE': ({ off, on, list, quiet, probe }) =>
      given(isListed(list, on), () =>
        all(
          isListed(list, off),
          given(
            all(
              someArrived(until(quiet, list), 'the endpoint while its webhook was on'),
              someArrived(since(probe, list), 'the webhook that is on'),
              noneArrived(since(quiet, list), 'no event at the webhook that was turned off'),
            ),
            () => {
              const active = entryOf(list, off)?.['is_active']
              const got = `\`is_active\`: ${JSON.stringify(active) ?? 'none'}`
              return check(
                active === false,
                '`is_active`: false for a webhook that was turned off',
                got,
                list,
              )
            },
          ),
        ),
      ),
    'EVT-EVERY-WEBHOOK': ({ off, list, quiet, probe }, { notes }) => {
      const event = String(notes['event'])
      const before = [quiet, probe].map((place) => eventsAmong(until(place, list), event))
      return given(
        all(isListed(list, off), ...before.map((earlier) => someArrived(earlier, 'an endpoint before'))),
        () => reached(eventsAmong(since(probe, list), event), 'the event at the webhook that is on', list),
      )
    },
    'HOOK-INACTIVE': ({ off, list, quiet, probe }) =>
      given(isListed(list, off), () => {
        const active = entryOf(list, off)?.['is_active']
        if (active !== false)
          return inconclusive(`the webhook is listed with \`is_active\`: ${JSON.stringify(active) ?? 'none'}`)
        return inTurn(
          need(someArrived(until(quiet, list), 'the endpoint while its webhook was on')),
          need(someArrived(since(probe, list), 'the webhook that is on')),
          () => noneArrived(since(quiet, list), 'no event at the webhook that was turned off'),
        )
      }),
  },
})
