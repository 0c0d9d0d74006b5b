/** Updates that are sent at the same time: whichever is done first, what each of them names is changed. */
import type { Judgement } from '../../scenario/judgement.ts'
import type { Driver } from '../../scenario/driver.ts'
import type { Json } from '../../wire/json.ts'
import { scenario } from '../../scenario/scenario.ts'
import { every, given, notApplicable, pass, weak } from '../../scenario/expect.ts'
import { taken, turnedAway } from '../assertions/management/managed.ts'
import { asked } from '../../assertions/turn.ts'
import { created, showsUpdated, showsWith, type Lasting } from '../assertions/management/webhook-record.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { listWith } from '../webhook-requests.ts'
import { elsewhere, mustBeCreated, webhookBody } from '../webhook-body.ts'

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
 * Sends all at once. What the list does not show is sent once more, one after the other: only what can be changed was
 * lost.
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
  title: 'of updates at once that each change another member none is lost',
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
      if (shown.is !== 'broken') return given(created(creation), () => (shown.is === 'weak' ? pass : shown))
      return given(
        every(relists, (one) => showsAll(one, creation, again)),
        // Nothing is said of updates at once: the last may well write the whole of it.
        () => weak(shown.expected, `${shown.got}, though all were taken`, list),
      )
    },
  },
})

/** Another update under way is a reason to refuse one, as is a lock. */
const isRefused = (one: Exchange): boolean => turnedAway(one, 'an update').is === 'pass'

/** The list shows what each of them named. */
function showsAll(list: Exchange, creation: Exchange, updates: readonly Exchange[]): Judgement {
  return given(every(updates, taken), () =>
    every(updates, (update) =>
      every(Object.entries(asked(update) ?? {}), ([name, value]) =>
        showsUpdated(list, creation, name as Lasting, value),
      ),
    ),
  )
}
