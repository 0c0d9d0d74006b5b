/** Groups faults into batches by area and selects the scenarios that each batch runs. */
import { areaOf, areas, type Area } from '../../spec/index.ts'
import type { FaultId } from '../../simulator/index.ts'
import type { KillMatrix } from '../../reports/proof/kill-matrix.ts'
import { cellsOf } from './file.ts'
import { serverScenarios, type AnyScenario } from '../../suites/index.ts'
import { isLong, longScenariosFor } from './long-scenarios.ts'
import { faultIds, rows } from './machine.ts'
import type { Job } from './run-job.ts'

export interface Batch {
  readonly ids: readonly FaultId[]
  /** Areas of the clauses that these faults break. */
  readonly areas: readonly Area[]
}

/**
 * Batch sizes: large enough to be fast, small enough that faults rarely hide one another. Batches with several areas
 * are smaller, because each of their faults runs the scenarios of all these areas alone.
 */
const sizes = { one: 36, several: 12 }

const allAreas = Object.keys(areas) as Area[]
const scenarios = Object.entries(serverScenarios)

/** Includes clauses that the fault breaks only sometimes. */
const brokenBy = (id: FaultId): readonly string[] => [...rows[id].breaks, ...(rows[id].chance ?? [])]

/** Batches that share a run of unrelated scenarios: few enough to find a misbehaving fault quickly. */
const batchesAtOnce = 4

/** Every fault is in exactly one batch; a batch has one area or consists of faults with several. */
export function batches(): readonly Batch[] {
  const kinds = Map.groupBy(faultIds, (id) => {
    const broken = areasOf(brokenBy(id))
    return broken.length === 1 ? broken[0] : 'several'
  })
  return [...kinds].flatMap(([kind, ids]) => inBatches(ids, kind === 'several' ? sizes.several : sizes.one))
}

/** Sorted by area, so that a batch has few areas. */
function inBatches(ids: readonly FaultId[], size: number): readonly Batch[] {
  const sorted = ids.toSorted((one, other) => compare(areaNames(one), areaNames(other)))
  return Array.from({ length: Math.ceil(ids.length / size) }, (_, at) => {
    const some = sorted.slice(at * size, (at + 1) * size)
    return { ids: some, areas: areasOf(some.flatMap(brokenBy)) }
  })
}

const areaNames = (id: FaultId): string => areasOf(brokenBy(id)).join()
const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

/** In the order of the contract. */
function areasOf(clauses: readonly string[]): readonly Area[] {
  const named = new Set(clauses.map((id) => (areaOf as Readonly<Record<string, Area>>)[id]))
  return allAreas.filter((area) => named.has(area))
}

/** A rule judges what scenarios of other areas sent: where a fault shows only in that, the scenario that sends it. */
const senders: { readonly [F in FaultId]?: string } = {
  'two-defects-as-list': 'chat-request/message-rules',
  'conversation-left-at-sixth': 'walk/some-keys',
  'conversation-keeps-streaming': 'walk/some-keys',
  'restricted-key-without-balance': 'auth/other-keys',
  'forbidden-charged': 'auth/other-keys',
  'forbidden-nested': 'auth/other-keys',
  'header-unstreams': 'chat-request-crossed/streamed',
  'accept-unstreams': 'message-values/some',
  'key-locked-after-refusals': 'auth/credentials',
  'x-header-unstreams': 'idempotency-carrier/headers',
  'replayed-empty-in-pause': 'walk/pauses',
  'streamed-replay-charged': 'credits/balance',
  'conflict-charged': 'credits/balance',
  'replay-in-other-mode-charged': 'credits/balance',
  'conflict-nested': 'workflow/press',
  'streamed-refusal-nested': 'chat-request-crossed/streamed',
  'streamed-refusal-as-text': 'chat-request-crossed/streamed',
  'error-as-receipt': 'idempotency-conflict/message',
  'error-as-problem': 'idempotency-conflict/message',
  'error-as-html': 'idempotency-conflict/message',
  'streamed-replay-cut-at-tool': 'streaming-events/tool-turn',
  'streamed-replay-cut-at-gate': 'streaming-events/gate-turn',
  'uncertain-key-freed': 'last/look',
  'superseded-button-returns': 'last/look',
  'removed-webhooks-return': 'last/look',
  'headers-of-the-newest': 'delivery/test',
  'custom-headers-once': 'retries/recovered',
  'result-of-one-read-left-out': 'discovery/permitted',
  'secret-in-list': 'management/life',
  'masked-secret-key': 'management/life',
}

/** The scenarios that a fault runs alone: those of the areas of its batch, and those assigned to it. */
export function scenariosFor(id: FaultId, { areas }: Batch, file: KillMatrix): readonly string[] {
  return [
    ...chosen((scenario) => !isLong(scenario) && isAbout(scenario, areas)),
    ...longScenariosFor(id, file),
    ...(senders[id] ? [senders[id]] : []),
  ]
}

/** The scenarios in which a fault fails something according to the file; of a rule, also those that feed it. */
export function shownIn(id: FaultId, file: KillMatrix): ReadonlySet<string> {
  const { kills = [], sometimes = [] } = cellsOf(file.faults[id]) ?? {}
  const failed = new Set([...kills, ...sometimes].map((check) => check.slice(0, check.lastIndexOf('/'))))
  if (![...failed].some((scenario) => serverScenarios[scenario]?.rule)) return failed
  const feeds = chosen((scenario) => isAbout(scenario, areasOf(brokenBy(id))))
  return failed.union(new Set([...feeds, senders[id] ?? '']))
}

/**
 * Jobs that run faults together with the scenarios that none of them runs alone. Several batches of one area share a
 * run of the scenarios of other areas; each batch runs the scenarios of the other batches by itself.
 */
export function unrelatedJobs(all: readonly Batch[]): readonly Job[] {
  const [wide, narrow] = [
    all.filter(({ areas }) => areas.length > 1),
    all.filter(({ areas }) => areas.length === 1),
  ]
  const groups = Array.from({ length: Math.ceil(narrow.length / batchesAtOnce) }, (_, at) =>
    narrow.slice(at * batchesAtOnce, (at + 1) * batchesAtOnce),
  )
  return [...wide.map((batch) => [batch]), ...groups].flatMap(jobsOfGroup)
}

function jobsOfGroup(group: readonly Batch[]): readonly Job[] {
  const all = group.flatMap(({ areas }) => areas)
  const unrelatedToAll = chosen((scenario) => !isLong(scenario) && !isAbout(scenario, all))
  const jobs = group.map(({ ids, areas }) => ({ ids, scenarios: unrelatedScenarios({ ids, areas }) }))
  const others = jobs.map(({ ids, scenarios }) => ({
    ids,
    scenarios: scenarios.filter((id) => !unrelatedToAll.includes(id)),
  }))
  return [{ ids: group.flatMap(({ ids }) => ids), scenarios: unrelatedToAll }, ...others]
    .filter(({ scenarios }) => scenarios.length > 0)
    .map(({ ids, scenarios }) => ({ faults: ids, scenarios, unrelated: true }))
}

/** The scenarios that no fault of the batch runs alone. */
export function unrelatedScenarios({ areas }: Batch): readonly string[] {
  return chosen((scenario) => !isLong(scenario) && !isAbout(scenario, areas))
}

const chosen = (matches: (scenario: AnyScenario) => boolean): readonly string[] =>
  scenarios.filter(([, scenario]) => matches(scenario)).map(([id]) => id)

const isAbout = ({ judge }: AnyScenario, wanted: readonly Area[]): boolean =>
  areasOf(Object.keys(judge)).some((area) => wanted.includes(area))
