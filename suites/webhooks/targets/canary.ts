/**
 * Ways to the machine that our receiver and the target share, by which nothing may be delivered. Whether a service
 * refuses such an endpoint or blocks it when it delivers is its own affair; that something arrives is not.
 */
import type { Judgement } from '../../scenario/judgement.ts'
import type { Driver } from '../../scenario/driver.ts'
import { scenario, type Context } from '../../scenario/scenario.ts'
import { came } from '../assertions/new-deliveries.ts'
import { blocked, logOf, seen, type Tried } from '../assertions/canary.ts'
import { attemptsIn } from '../assertions/deliveries.ts'
import { all, every, given, observed } from '../../scenario/expect.ts'
import { wasTaken } from '../assertions/management/managed.ts'
import { identityOf } from '../assertions/management/webhook-record.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { waysHere, waysMost } from './hosts.ts'
import { mustBeHere, openBy, shaken, type AtEnd } from './private-endpoint.ts'
import { webhookBody } from '../webhook-body.ts'

type List = 'private' | 'internal' | 'spelled' | 'excused'
type Names = 'control' | 'back' | `${List | 'tests' | 'logs' | 'canary' | 'arrived'}[]`
type Told = Readonly<Record<List | 'logs' | 'canary' | 'arrived', readonly Exchange[]>>

const exchanges: readonly Names[] = [
  'control',
  'private[]',
  'internal[]',
  'spelled[]',
  'excused[]',
  'tests[]',
  'back',
  'logs[]',
  'canary[]',
  'arrived[]',
]

/** What was taken is tried three times before the log has it as failed, on the target's clock. */
const failingMs = 45_000

interface Offered {
  ids: readonly string[]
  ends: readonly AtEnd[]
}

/** An endpoint by each way; what was taken is given back. */
async function offer(t: Driver<Names>, each: (id: string) => Promise<void>): Promise<Offered> {
  const ids: string[] = []
  const ends: AtEnd[] = []
  for (const way of waysHere(t)) {
    const end = await openBy(way, t.closedEndpoint('canary', way.address))
    ends.push(end)
    const body = webhookBody(t, { endpoint_url: end.url, events: [t.event] })
    const creation = await t.manageMore(way.list, { body })
    const id = wasTaken(creation) ? identityOf(creation)?.id : undefined
    if (id === undefined) continue
    ids.push(id)
    await each(id)
  }
  return { ids, ends }
}

async function test(t: Driver<Names>, id: string): Promise<void> {
  await t.manageMore('tests', { method: 'POST', path: `/${encodeURIComponent(id)}/test` })
}

async function readLogs(t: Driver<Names>, { ids, ends }: Offered): Promise<void> {
  if (ids.length > 0) await t.settle(failingMs)
  t.note('shaken', shaken(ends))
  for (const id of ids) await t.manageMore('logs', { path: `/${encodeURIComponent(id)}/logs` })
}

const judge = {
  'TGT-PRIVATE': (told: Told, context: Context) => unreached(told, 'private', context),
  'TGT-INTERNAL': (told: Told, context: Context) =>
    all(unreached(told, 'internal', context), seen(told.excused, told.canary)),
  'TGT-SPELLING': (told: Told, context: Context) => unreached(told, 'spelled', context),
} as const

export const sampled = scenario({
  title: 'no sample is delivered to the machine itself by a way that is blocked',
  exchanges,
  needs: { session: true, receiver: true },
  cost: { requests: 3 + 4 * waysMost, turns: 0 },
  async run(t) {
    const control = t.endpoint('arrived')
    mustBeHere(control)
    const { id } = await t.webhook('control', control)
    const offered = await offer(t, (webhook) => test(t, webhook))
    await test(t, id)
    await control.arrived(1)
    await readLogs(t, offered)
  },
  judge,
})

export const moved = scenario({
  title: 'no sample is delivered to the machine itself once an update leads there',
  exchanges,
  needs: { session: true, receiver: true },
  cost: { requests: 4 + 2 * waysMost, turns: 0 },
  async run(t) {
    const control = t.endpoint('arrived')
    mustBeHere(control)
    const { id } = await t.webhook('control', control)
    const path = `/${encodeURIComponent(id)}`
    // One over HTTPS may be taken, to be blocked later, and the log of the one webhook would not tell which it was.
    for (const way of waysHere(t).filter(({ isSecure }) => !isSecure)) {
      const { url } = await openBy(way, t.closedEndpoint('canary', way.address))
      const body = { endpoint_url: url }
      if (wasTaken(await t.manageMore(way.list, { method: 'PATCH', path, body }))) await test(t, id)
    }
    await t.manage('back', { method: 'PATCH', path, body: { endpoint_url: control.url } })
    await test(t, id)
    await control.arrived(1)
  },
  judge,
})

export const live = scenario({
  title: 'no event is delivered to the machine itself by a way that is blocked',
  exchanges,
  needs: { session: true, receiver: true, event: 'any', extra: true },
  cost: { requests: 3 + 3 * waysMost, turns: 1 },
  async run(t) {
    const control = t.endpoint('arrived')
    mustBeHere(control)
    await t.webhook('control', control)
    const offered = await offer(t, () => Promise.resolve())
    await t.emit()
    await control.arrived(1)
    await readLogs(t, offered)
  },
  judge,
})

/** Nothing came by these ways, while a delivery reached the control. */
function unreached(told: Told, list: List, { dialect, notes }: Context): Judgement {
  const tried = told[list].map((request): Tried => {
    const log = logOf(request, told.logs)
    return { request, arrived: told.canary, log, dialect, shaken: notes['shaken'] }
  })
  if (tried.length === 0) return observed('this machine has no such address that counts here')
  return given(came(attemptsIn(told.arrived), 'the control endpoint'), () => every(tried, blocked))
}
