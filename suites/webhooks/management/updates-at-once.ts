/** Concurrent updates: in any order, the members that each of them names are changed. */
import { scenario, type Driver, type Judgement } from '../../scenario/scenario.ts'
import { every, given, notApplicable, pass, warn } from '../../scenario/expect.ts'
import { requestAccepted, refusedContent } from '../assertions/management/managed.ts'
import { asked } from '../../assertions/turn.ts'
import {
  createdWebhook,
  showsUpdated,
  showsWith,
  type Lasting,
} from '../assertions/management/webhook-record.ts'
import type { Exchange, Json } from '../../wire/exchange.ts'
import { listWith, elsewhere, mustBeCreated, webhookBody } from '../webhook-requests.ts'

type Members = Readonly<Record<string, Json>>
type Names = 'creation' | 'updates[]' | 'list' | 'again[]' | 'relists[]'

/** No two of them name the same member. */
const changes = (t: Pick<Driver, 'text' | 'uuid'>): readonly Members[] => [
  { name: t.text(24) },
  { events: ['order.confirmed'] },
  { custom_headers: { 'X-Touchstone-Other': 'two' } },
  { endpoint_url: elsewhere(t) },
]

/**
 * Sends all concurrently. A member that the list does not show is sent again sequentially: only a member that can be
 * changed was lost.
 */
async function update(t: Driver<Names>, id: string): Promise<void> {
  const path = `/${encodeURIComponent(id)}`
  const bodies = changes(t)
  const whole = Object.assign({}, ...bodies) as Members
  const send = (name: 'updates' | 'again', body: Members) =>
    t.manageMore(name, { method: 'PATCH', path, body })
  await Promise.all(bodies.map((body) => send('updates', body)))
  const list = await t.manage('list', listWith({ id }, whole))
  const lost = bodies.filter((body) => !showsWith(list, id, body))
  for (const body of lost) await send('again', body)
  if (lost.length > 0) await t.manageMore('relists', listWith({ id }, whole))
}

export const members = scenario({
  title: 'of concurrent updates of different members none is lost',
  exchanges: ['creation', 'updates[]', 'list', 'again[]', 'relists[]'],
  needs: { session: true },
  cost: { requests: 12, turns: 0 },
  async run(t) {
    const creation = await t.manage('creation', { body: webhookBody(t) })
    await update(t, mustBeCreated(t, creation).id)
  },
  judge: {
    'HOOK-UPDATE-REST': ({ creation, updates, list, again, relists }) => {
      if (updates.some(isRefused)) return notApplicable('one of several updates at once is refused')
      const shown = showsAll(list, creation, updates)
      if (shown.is !== 'fail')
        return given(createdWebhook(creation), () => (shown.is === 'warn' ? pass : shown))
      return given(
        every(relists, (one) => showsAll(one, creation, again)),
        // Concurrent updates are not mentioned: the last may overwrite all members.
        () => warn(shown.expected, `${shown.got}, though all were taken`, list),
      )
    },
  },
})

/** Another update in flight, or a lock, is a reason to refuse one. */
const isRefused = (one: Exchange): boolean => refusedContent(one, 'an update').is === 'pass'

/** The list shows the members that each of them named. */
function showsAll(list: Exchange, creation: Exchange, updates: readonly Exchange[]): Judgement {
  return given(every(updates, requestAccepted), () =>
    every(updates, (update) =>
      every(Object.entries(asked(update) ?? {}), ([name, value]) =>
        showsUpdated(list, creation, name as Lasting, value),
      ),
    ),
  )
}
