/** Faults in batches by what they break, and which stories tell of that. */
import { areaOf, areas, type Area } from '../../spec/index.ts'
import type { Fault } from '../../simulator/deviations/deviation.ts'
import { faults, type FaultId } from '../../simulator/index.ts'
import { serverScenarios, type Scenarios } from '../../suites/index.ts'

export interface Batch {
  readonly ids: readonly FaultId[]
  /** In which these faults break something. */
  readonly areas: readonly Area[]
}

/** So many at once: enough to be quick, few enough that one hardly hides another. */
const size = 12

export const rows: Readonly<Record<FaultId, Fault>> = faults
export const faultIds = Object.keys(faults) as readonly FaultId[]
const longRequests = 150
const witnessesMost = 3
const allAreas = Object.keys(areas) as Area[]
const stories = Object.entries(serverScenarios)

/** Now and then as well as always. */
const brokenBy = (id: FaultId): readonly string[] => [...rows[id].breaks, ...(rows[id].chance ?? [])]

/** Every fault in one batch: a batch has one area, or is of those that have several. */
export function batches(): readonly Batch[] {
  const kinds = Map.groupBy(faultIds, (id) => {
    const broken = areasOf(brokenBy(id))
    return broken.length === 1 ? broken[0] : 'several'
  })
  return [...kinds.values()].flatMap(inBatches)
}

/** Those that break the same areas stand side by side, so that a batch breaks few. */
function inBatches(ids: readonly FaultId[]): readonly Batch[] {
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

/**
 * Told to a fault alone: every story about the areas of its batch, but of those that take long, which tell at length
 * what others tell as well, only what it is a witness for.
 */
export function storiesFor(id: FaultId, { areas }: Batch): Scenarios {
  return chosen(([, story]) =>
    isLong(story)
      ? Object.keys(story.judge).some((clause) => witnesses.get(clause)?.includes(id))
      : isAbout(story, areas),
  )
}

/** Told to a batch: all that is told to none of it alone. */
export function storiesBeside({ areas }: Batch): Scenarios {
  return chosen(([, story]) => !isLong(story) && !isAbout(story, areas))
}

type Entry = (typeof stories)[number]

function chosen(told: (entry: Entry) => boolean): Scenarios {
  return Object.fromEntries(stories.filter(told))
}

/** Of the largest profile, or with room for so many requests: a search that goes on where it found something red. */
const isLong = ({ profile, cost }: Entry[1]): boolean =>
  profile === 'exhaustive' || cost.requests > longRequests
const isAbout = ({ judge }: Entry[1], wanted: readonly Area[]): boolean =>
  areasOf(Object.keys(judge)).some((area) => wanted.includes(area))

/** Faults of each clause that stories which take long are told to: those that break little else. */
const witnesses: ReadonlyMap<string, readonly FaultId[]> = witnessesOfClauses()

function witnessesOfClauses(): ReadonlyMap<string, readonly FaultId[]> {
  const sorted = faultIds.toSorted((one, other) => rows[one].breaks.length - rows[other].breaks.length)
  const clauses = new Set(sorted.flatMap((id) => rows[id].breaks))
  const of = (clause: string): readonly FaultId[] =>
    sorted.filter((id) => rows[id].breaks.some((broken) => broken === clause)).slice(0, witnessesMost)
  return new Map([...clauses].map((clause) => [clause, of(clause)]))
}
