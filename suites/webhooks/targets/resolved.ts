/** Names that the target resolves to a private address. */
import { notExercised } from '../../scenario/ending.ts'
import { scenario, type Context, type Judgement } from '../../scenario/scenario.ts'
import { someArrived, attemptsIn } from '../assertions/deliveries.ts'
import { blocked, lastLogOf } from '../assertions/canary.ts'
import { every, given, observed } from '../../scenario/expect.ts'
import { entriesOf } from '../assertions/management/log-entry.ts'
import { wasAccepted, identityOf } from '../assertions/management/webhook-record.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { readLogs, type PrivateEndpoint } from './private-endpoint.ts'
import { sampleTo, webhookBody } from '../webhook-requests.ts'

type Names = 'control' | `${'named' | 'tests' | 'logs' | 'canary' | 'arrived'}[]`
type ResolvedExchanges = Readonly<Record<'named' | 'logs' | 'canary' | 'arrived', readonly Exchange[]>>

const exchanges: readonly Names[] = ['control', 'named[]', 'tests[]', 'logs[]', 'canary[]', 'arrived[]']

/** More names show nothing new. */
const namesMost = 4

/** Samples may not be logged: without entries, the absence of requests is only recorded. */
function unreached(
  { named, logs, canary, arrived }: ResolvedExchanges,
  { dialect, notes }: Context,
): Judgement {
  const judged = given(someArrived(attemptsIn(arrived), 'the control endpoint'), () =>
    every(named, (request) => {
      const log = lastLogOf(request, logs)
      return blocked({ request, arrived: canary, log, dialect, shaken: notes['shaken'] })
    }),
  )
  const isEmpty = (log: Exchange): boolean => entriesOf(log, dialect)?.length === 0
  return judged.is === 'inconclusive' && logs.length > 0 && logs.every(isEmpty)
    ? observed('nothing came, and the log does not show samples')
    : judged
}

export const sampled = scenario({
  title: 'no sample is delivered to a name that leads to a private address',
  exchanges,
  needs: { session: true, receiver: true },
  cost: { requests: 3 + 4 * 2 * namesMost, turns: 0 },
  async run(t) {
    const control = t.endpoint('arrived')
    const { id } = await t.webhook('control', control)
    // Endpoints with each name over HTTPS, at one of our ports if the receiver is on this machine, and the same over
    // plain HTTP.
    const names = t.privateNames.slice(0, namesMost)
    if (names.length === 0)
      throw notExercised(
        'fixture-missing',
        'no name is known that leads to a private address; declare receiver.privateNames',
      )
    const ids: string[] = []
    const ends: PrivateEndpoint[] = []
    for (const name of names) {
      const place = await t.closedEndpoint('canary')
      await place?.open()
      const url = place?.secureAt(name) ?? `https://${name}/touchstone/${t.uuid()}`
      if (place) ends.push({ place, url })
      for (const endpoint_url of [url, t.endpoint('canary').at(name)]) {
        const body = webhookBody(t, { endpoint_url, events: [t.event] })
        const creation = await t.manageMore('named', { body })
        const id = wasAccepted(creation) ? identityOf(creation)?.id : undefined
        if (id !== undefined) ids.push(id)
      }
    }
    const offered = { ids, ends }
    for (const webhook of [...offered.ids, id]) await t.manageMore('tests', sampleTo({ id: webhook }))
    await control.arrived(1)
    await readLogs(t, offered)
  },
  judge: { 'TGT-RESOLVED': unreached },
})
