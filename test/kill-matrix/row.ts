/** One line of the matrix: the runs of a fault compared with its declaration and with the file. */
import type { FaultId } from '../../simulator/index.ts'
import type { KillMatrix, MatrixLine } from '../../reports/proof/kill-matrix.ts'
import { scenariosFor, type Batch } from './batches.ts'
import { brokenCommandLines } from '../broken-command-lines.ts'
import { brokenClients } from './broken-clients/index.ts'
import { broken } from './broken-receivers.ts'
import type { CopyResult } from './copies.ts'
import type { WorkerPool } from './worker-pool.ts'
import { isAsDeclared, killsIn, problemsOf, sureOf } from './explain.ts'
import { cellsOf, lineOf } from './file.ts'
import { checksElsewhere, showsHere, rows } from './machine.ts'
import { again, drift, agrees, settled, type Cells } from './settle.ts'
import type { Red } from './run-job.ts'

export interface Row {
  readonly id: string
  readonly line: MatrixLine
  /** Differences from the declaration. */
  readonly problems: readonly string[]
  /** Differences from the file. */
  readonly drift: readonly string[]
  /** Checks that it fails according to the file, and in one run at least. */
  readonly confirmed: readonly string[]
}

const nothing: Cells = { kills: [], sometimes: [] }

/** Runs a fault alone with all scenarios of its areas, or with `only` these of them. */
export async function faultRow(
  id: FaultId,
  batch: Batch,
  pool: WorkerPool,
  file: KillMatrix,
  only?: ReadonlySet<string>,
): Promise<Row> {
  const { title, breaks, chance } = rows[id]
  const old = cellsOf(file.faults[id])
  if (!showsHere(id)) return fromFile(id, title, old)
  const elsewhere = checksElsewhere(file)
  const kept = (old?.kills ?? []).filter((check) => elsewhere.has(check))
  const cells = (red: readonly Red[]): readonly string[] => [...new Set([...killsIn(red), ...kept])]
  const scenarios = scenariosFor(id, batch, file).filter((scenario) => !only || only.has(scenario))
  const job = { faults: [id], scenarios, unrelated: false }
  const run = async (): Promise<readonly Red[]> => (scenarios.length === 0 ? [] : pool.run(job))
  const runs = [await run()]
  const settledAtOnce = runs.every(
    (red) => isAsDeclared({ breaks }, sureOf(red, chance)) && agrees(cells(red), old),
  )
  // A new file has nothing to compare with.
  if (!settledAtOnce && Object.keys(file.faults).length > 0)
    for (let time = 0; time < again; time++) runs.push(await run())
  // A fault with random effects proves nothing: an empty run turns its kills into `sometimes`.
  const cellsOfRuns = [...runs.map(cells), ...(chance ? [[]] : [])]
  return {
    id,
    line: lineOf(title, settled(cellsOfRuns, old)),
    problems: problemsOf({ id, breaks, cellsOfRuns: runs.map((red) => sureOf(red, chance)) }),
    drift: driftOf(id, title, cellsOfRuns, file.faults[id]),
    confirmed: confirmedBy(cellsOfRuns, old),
  }
}

const confirmedBy = (runs: readonly (readonly string[])[], old: Cells = nothing): readonly string[] =>
  old.kills.filter((check) => runs.some((red) => red.includes(check)))

function fromFile(id: string, title: string, old: Cells | undefined): Row {
  const problems = old ? [] : [`${id} has no line in the file; write it on a machine with a private address`]
  return { id, line: lineOf(title, old ?? nothing), problems, drift: [], confirmed: old?.kills ?? [] }
}

type Kind = 'receiver' | 'client' | 'command line'
const sections = {
  receiver: 'receivers',
  client: 'clients',
  'command line': 'clients',
} as const satisfies Record<Kind, keyof KillMatrix>

/** One run of a receiver or client, or more where a busy machine hid something: what one of them shows is shown. */
export function copyRow(kind: Kind, runs: readonly [CopyResult, ...CopyResult[]], file: KillMatrix): Row {
  const [{ name }] = runs
  const title = `A ${kind} that ${name}.`
  const problems = runs.some((run) => run.problems.length === 0) ? [] : (runs.at(-1)?.problems ?? [])
  const written = file[sections[kind]][name]
  const [old, reds] = [cellsOf(written), runs.map(({ red }) => red)]
  return {
    id: name,
    line: lineOf(title, settled(reds.slice(-1), old)),
    problems: problems.map((problem) => `a ${kind} that ${name}: ${problem}`),
    drift: driftOf(name, title, reds, written),
    confirmed: confirmedBy(reds, old),
  }
}

function driftOf(
  id: string,
  title: string,
  cellsOfRuns: readonly (readonly string[])[],
  line: MatrixLine | undefined,
): readonly string[] {
  const old = cellsOf(line)
  if (!line || !old) return [`${id} is not in the file`]
  const { gone, come } = drift(cellsOfRuns, old)
  return [
    ...(line.title === title ? [] : [`${id} has another title in the file`]),
    ...gone.map((check) => `${id} does not fail ${check}, but the file says so`),
    ...come.map((check) => `${id} fails ${check}, which is not in the file`),
  ]
}

/** Lines of the file whose fault, receiver or client no longer exists. */
export function leftOver({ faults, receivers, clients }: KillMatrix): readonly string[] {
  const old = [
    ...Object.keys(faults).filter((id) => !Object.hasOwn(rows, id)),
    ...Object.keys(receivers).filter((name) => !Object.hasOwn(broken, name)),
    ...Object.keys(clients).filter(
      (name) => !Object.hasOwn({ ...brokenClients, ...brokenCommandLines }, name),
    ),
  ]
  return old.map((id) => `${id} is in the file but does not exist`)
}
