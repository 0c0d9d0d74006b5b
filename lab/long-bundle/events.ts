/**
 * The events of a long run, made of those of a short one: each scenario has its own exchanges and after them as many more
 * as it takes, with large bodies. No judge reads these, so that the verdicts stay.
 */
import { randomBytes } from 'node:crypto'
import type { RunEvent } from '../../reports/bundle/journal/writer.ts'
import { openingIn } from '../../reports/bundle/journal/writer.ts'
import type { Chunk } from '../../reports/bundle/exchange.ts'
import type { Exchange, Run } from '../../reports/bundle/record.ts'

export interface Length {
  exchanges: number
  /** Of all bodies that are added. */
  bytes: number
}

/** The record is to be finished with the requests that were added. */
export function* longRun({ record, journal }: Run, length: Length): Generator<RunEvent> {
  yield { is: 'planned', planned: { plan: record.plan }, opening: openingIn(record) }
  const own = Map.groupBy(journal, ({ scenario }) => scenario)
  const { scenarioRuns } = record
  const models = scenarioRuns.flatMap(({ scenario }) => modelIn(own.get(scenario) ?? []) ?? [])
  const more = Math.max(0, length.exchanges - journal.length)
  const size = Math.ceil(length.bytes / Math.max(1, more))
  let [id, added] = [journal.reduce((most, one) => Math.max(most, one.id), 0), 0]
  for (const exchange of journal)
    if (scenarioRuns.every(({ scenario }) => scenario !== exchange.scenario))
      yield { is: 'exchange', exchange }
  for (const scenarioRun of scenarioRuns) {
    for (const exchange of own.get(scenarioRun.scenario) ?? []) yield { is: 'exchange', exchange }
    const at = models.findIndex(({ scenario }) => scenario === scenarioRun.scenario)
    const until = at === -1 ? added : Math.floor(((at + 1) * more) / models.length)
    for (; added < until; added++)
      yield { is: 'exchange', exchange: enlarged(models[at] as Exchange, ++id, size) }
    yield { is: 'scenario-run', scenarioRun, used: withRequests(record.used, added) }
  }
}

/** What was used with so many requests more. */
export function withRequests(used: Run['record']['used'], more: number): Run['record']['used'] {
  return { ...used, requests: used.requests + more }
}

/** A request that was answered with a JSON object of some members. */
function modelIn(exchanges: readonly Exchange[]): Exchange | undefined {
  return exchanges.find(
    ({ response, inbound, failure }) =>
      !inbound && !failure && response?.status === 200 && response.chunks[0]?.bytes[0] === 0x7b,
  )
}

const half = [0.5, 1.5] as const

/** Every tenth comes in pieces so small that they stand in the journal. */
function enlarged(model: Exchange, id: number, mean: number): Exchange {
  const { response } = model
  if (!response) throw new Error(`exchange ${model.id} has no response`)
  const size = Math.ceil(mean * (half[id % 2] ?? 1))
  const reply = Buffer.concat(response.chunks.map(({ bytes }) => bytes))
  const filler = randomBytes(Math.ceil(size / 2))
    .toString('hex')
    .slice(0, size)
  const body = Buffer.concat([Buffer.from(`{"diagnostics":"${filler}",`), reply.subarray(1)])
  const piece = id % 10 === 0 ? 2_000 : body.length
  const chunks: Chunk[] = []
  for (let from = 0; from < body.length; from += piece)
    chunks.push({ at: response.at, bytes: body.slice(from, from + piece) })
  return { ...model, id, name: 'probe of more', response: { ...response, chunks } }
}
