/** One line of the matrix: a fault told as often as it takes, held against what it says and against the file. */
import type { FaultId } from '../../simulator/index.ts'
import type { KillMatrix, MatrixLine } from '../../reports/proof/kill-matrix.ts'
import { scenariosFor, type Batch } from './batches.ts'
import { brokenCommandLines } from '../broken-command-lines.ts'
import { brokenClients } from './broken-clients/index.ts'
import { broken } from './broken-receivers.ts'
import type { CopyTold } from './copies.ts'
import type { Crew } from './crew.ts'
import { asNamed, killsIn, problemsOf, sureOf } from './explain.ts'
import { cellsOf, lineOf } from './file.ts'
import { checksElsewhere, showsHere } from './machine.ts'
import { rows } from './rows.ts'
import { again, drift, isCalm, settled, type Cells } from './settle.ts'
import type { Red } from './telling.ts'

export interface Row {
  readonly id: string
  readonly line: MatrixLine
  /** What it does other than it says. */
  readonly problems: readonly string[]
  /** What the file says other than it does. */
  readonly drift: readonly string[]
}

const nothing: Cells = { kills: [], sometimes: [] }

export async function faultRow(id: FaultId, batch: Batch, crew: Crew, file: KillMatrix): Promise<Row> {
  const { title, breaks, chance } = rows[id]
  const old = cellsOf(file.faults[id])
  if (!showsHere(id)) return takenOver(id, title, old)
  const elsewhere = checksElsewhere(file)
  const kept = (old?.kills ?? []).filter((check) => elsewhere.has(check))
  const cells = (red: readonly Red[]): readonly string[] => [...new Set([...killsIn(red), ...kept])]
  const job = { faults: [id], scenarios: scenariosFor(id, batch, file), beside: false }
  const told = [await crew.tell(job)]
  const calm = told.every((red) => asNamed({ breaks }, sureOf(red, chance)) && isCalm(cells(red), old))
  // Nothing can be held against a file that is written for the first time.
  if (!calm && Object.keys(file.faults).length > 0)
    for (let time = 0; time < again; time++) told.push(await crew.tell(job))
  // What shows only now and then is recorded and proves nothing, as if once none of it had shown.
  const tellings = [...told.map(cells), ...(chance ? [[]] : [])]
  return {
    id,
    line: lineOf(title, settled(tellings, old)),
    problems: problemsOf({ id, breaks, tellings: told.map((red) => sureOf(red, chance)) }),
    drift: driftOf(id, title, tellings, file.faults[id]),
  }
}

function takenOver(id: string, title: string, old: Cells | undefined): Row {
  const problems = old
    ? []
    : [`${id} has no line to take over; write the file on a machine with a private address`]
  return { id, line: lineOf(title, old ?? nothing), problems, drift: [] }
}

type Kind = 'receiver' | 'client' | 'command line'
const sections = {
  receiver: 'receivers',
  client: 'clients',
  'command line': 'clients',
} as const satisfies Record<Kind, keyof KillMatrix>

/** Nothing races where a receiver or a client is asked, so one telling will do. */
export function copyRow(kind: Kind, { name, red, problems }: CopyTold, file: KillMatrix): Row {
  const title = `A ${kind} that ${name}.`
  const says = problems.map((problem) => `a ${kind} that ${name}: ${problem}`)
  const line = lineOf(title, { kills: red, sometimes: [] })
  return { id: name, line, problems: says, drift: driftOf(name, title, [red], file[sections[kind]][name]) }
}

function driftOf(
  id: string,
  title: string,
  tellings: readonly (readonly string[])[],
  line: MatrixLine | undefined,
): readonly string[] {
  const old = cellsOf(line)
  if (!line || !old) return [`${id} is not in the file`]
  const { gone, come } = drift(tellings, old)
  return [
    ...(line.title === title ? [] : [`${id} has another title in the file`]),
    ...gone.map((check) => `${id} does not turn ${check} red, as the file says`),
    ...come.map((check) => `${id} turns ${check} red, of which the file says nothing`),
  ]
}

/** Lines of the file for what is there no more. */
export function leftOver({ faults, receivers, clients }: KillMatrix): readonly string[] {
  const old = [
    ...Object.keys(faults).filter((id) => !Object.hasOwn(rows, id)),
    ...Object.keys(receivers).filter((name) => !Object.hasOwn(broken, name)),
    ...Object.keys(clients).filter(
      (name) => !Object.hasOwn({ ...brokenClients, ...brokenCommandLines }, name),
    ),
  ]
  return old.map((id) => `${id} is in the file and there is none`)
}
