/** Runs scenarios against a simulator with faults and returns the checks that fail. */
import type { FaultId } from '../../simulator/index.ts'
import { ConfigurationError, serverScenarios, type Scenarios } from '../../suites/index.ts'
import { line, simulatedRun } from '../simulated-run.ts'

/** A check with verdict `fail`, `warn` or `error`. */
export interface Red {
  readonly check: string
  /** A judge or scenario threw, which is a bug of ours and not a kill. */
  readonly broken: boolean
  /** The finding as text. */
  readonly message: string
}

export interface Job {
  /** Active together. */
  readonly faults: readonly FaultId[]
  /** Ids. */
  readonly scenarios: readonly string[]
  /** The faults should not affect these scenarios; if a check fails, the batch is split to find the fault. */
  readonly unrelated: boolean
}

export function runJob({ faults, scenarios, unrelated }: Job): Promise<readonly Red[]> {
  const chosen = scenarios.flatMap((id) => (serverScenarios[id] ? [[id, serverScenarios[id]] as const] : []))
  // Rules alone have nothing to judge.
  if (chosen.every(([, { rule }]) => rule)) return Promise.resolve([])
  return unrelated
    ? unrelatedReds(faults, Object.fromEntries(chosen))
    : redChecks(faults, Object.fromEntries(chosen))
}

/**
 * Uses the largest profile, two replicas and the older variant. Everything is seeded, including the run id, so that
 * results differ only where requests race.
 */
async function redChecks(ids: readonly FaultId[], scenarios: Scenarios): Promise<readonly Red[]> {
  const { record } = await simulatedRun(
    { faults: ids, replicas: 2, legacy: true },
    { scenarios, runId: 'kill-matrix' },
    (target) => ({ ...target, profile: 'exhaustive' }),
  )
  return record.findings
    .filter(({ verdict }) => verdict === 'fail' || verdict === 'warn' || verdict === 'error')
    .map((finding) => ({ check: finding.check, broken: finding.verdict === 'error', message: line(finding) }))
}

/** Checks that single faults fail in unrelated scenarios; empty if only their combination does. */
async function unrelatedReds(ids: readonly FaultId[], others: Scenarios): Promise<readonly Red[]> {
  const red = await redsUnlessPrevented(ids, others)
  if (red === null) return redsOfGroups(await groupsWithTurns(ids), others)
  if (red.length === 0) return []
  if (ids.length === 1) return red.map((one) => ({ ...one, message: `${ids.join()}: ${one.message}` }))
  const isRed = (id: string): boolean => red.some(({ check }) => check.startsWith(`${id}/`))
  // A rule is about what the others sent.
  const isOfRule = Object.entries(others).some(([id, { rule }]) => rule && isRed(id))
  const again = Object.entries(others).filter(([id]) => isOfRule || isRed(id))
  return redsOfGroups(halvesOf(ids), Object.fromEntries(again))
}

type FaultIds = readonly FaultId[]

const halvesOf = (ids: FaultIds): readonly FaultIds[] => {
  const half = Math.ceil(ids.length / 2)
  return [ids.slice(0, half), ids.slice(half)]
}

async function redsOfGroups(groups: readonly FaultIds[], others: Scenarios): Promise<readonly Red[]> {
  const found: Red[] = []
  for (const group of groups) found.push(...(await unrelatedReds(group, others)))
  return found
}

/** Null where a combination of faults prevents even a plain turn. */
async function redsUnlessPrevented(ids: FaultIds, scenarios: Scenarios): Promise<readonly Red[] | null> {
  return redChecks(ids, scenarios).catch((thrown: unknown) => {
    if (thrown instanceof ConfigurationError && ids.length > 1) return null
    throw thrown
  })
}

const plainTurn: Scenarios = Object.fromEntries(
  Object.entries(serverScenarios).filter(([id]) => id === 'chat-response/plain-turn'),
)
const allowsTurn = async (ids: FaultIds): Promise<boolean> =>
  (await redsUnlessPrevented(ids, plainTurn)) !== null

/** Two groups or more, as few as it takes: each run of one runs all other scenarios, and finding the groups costs little. */
async function groupsWithTurns(ids: FaultIds): Promise<readonly FaultIds[]> {
  const groups: FaultIds[] = []
  for (const half of halvesOf(ids))
    for (const some of (await allowsTurn(half)) ? [half] : await groupsWithTurns(half))
      await addToGroups(groups, some)
  // Whatever prevented the run leaves a plain turn.
  return groups.length > 1 ? groups : halvesOf(ids)
}

/** Adds them to the first group with which they allow a turn, or as a group of their own. */
async function addToGroups(groups: FaultIds[], ids: FaultIds): Promise<void> {
  for (const [at, group] of groups.entries())
    if (await allowsTurn([...group, ...ids])) {
      groups[at] = [...group, ...ids]
      return
    }
  groups.push(ids)
}
