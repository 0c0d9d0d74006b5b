/** The whole matrix: told, held against the file, and written. */
import pMap from 'p-map'
import type { KillMatrix } from '../../reports/proof/kill-matrix.ts'
import { batches, jobsBeside } from './batches.ts'
import { clientChecks, receiverChecks, serverChecks } from './checks.ts'
import { clientCopies, type Copy } from './clients.ts'
import { hireCrew, type Crew } from './crew.ts'
import { unexplainedChecks } from './explain.ts'
import { cellsOf, readMatrix, shownPath, writeMatrix } from './file.ts'
import { showsHere, unshown } from './machine.ts'
import { withFewest } from './long-scenarios.ts'
import { unkillable } from './reasons.ts'
import { tellReceivers } from './receivers.ts'
import { copyRow, faultRow, leftOver, type Row } from './row.ts'
import { faultIds } from './rows.ts'

const checks = [...serverChecks, ...receiverChecks, ...clientChecks]

/** How much is unexplained; with `check` nothing is written, and what the file has other than it is counts too. */
export async function runMatrix(check: boolean): Promise<number> {
  const began = performance.now()
  const file = readMatrix()
  const { faults, receivers, clients, strays } = await tellAll(file, check)
  const matrix = {
    faults: withFewest(linesOf(faults)),
    receivers: linesOf(receivers),
    clients: linesOf(clients),
  }
  const all = [...faults, ...receivers, ...clients]
  const killed = new Set(all.flatMap(({ line }) => cellsOf(line)?.kills ?? []))
  const drift = [...all.flatMap((row) => row.drift), ...leftOver(file)]
  const unexplained = [
    ...all.flatMap(({ problems }) => problems),
    ...strays,
    ...unexplainedChecks(checks, killed, unkillable),
    ...(check ? drift.map((words) => `${words}; run npm run kill-matrix and commit ${shownPath}`) : []),
  ]
  if (!check) writeMatrix(matrix)
  for (const words of unexplained) console.log(words)
  for (const id of faultIds.filter((id) => !showsHere(id))) console.log(unshown(id))
  const proven = checks.filter((id) => killed.has(id)).length
  const reasons = Object.keys(unkillable).length
  console.log(`${checks.length} checks: ${proven} shown able to fail, ${reasons} with a reason why not`)
  console.log(`in ${((performance.now() - began) / 1000).toFixed(0)} s`)
  const right = all.filter(({ problems }) => problems.length === 0).length
  console.log(`${all.length} faults, ${right} killed, ${unexplained.length} unexplained`)
  return unexplained.length
}

async function tellAll(file: KillMatrix, check: boolean) {
  const crew = hireCrew()
  try {
    // What takes longest is asked for first, or all but one of the processes wait for it at the end.
    const [strays, faults, receivers, clients] = await Promise.all([
      tellBeside(crew),
      Promise.all(batches().flatMap((batch) => batch.ids.map((id) => faultRow(id, batch, crew, file)))),
      tellReceivers(),
      clientRows(file),
    ])
    return {
      faults,
      strays,
      receivers: receivers.map((told) => copyRow('receiver', told, file)),
      clients: await retold(clients, file, check),
    }
  } finally {
    crew.dismiss()
  }
}

/** What faults do to scenarios that are about something else. */
async function tellBeside(crew: Crew): Promise<readonly string[]> {
  const red = await Promise.all(jobsBeside(batches()).map((job) => crew.tell(job)))
  return red.flat().map(({ says }) => `in a scenario about something else, ${says}`)
}

/** Many at once wait for one another, and then no longer only for the service. */
const clientsAtOnce = 5

function clientRows(file: KillMatrix): Promise<readonly Row[]> {
  return pMap(clientCopies(), (copy) => clientRow(copy, file), { concurrency: clientsAtOnce })
}

const clientRow = async ({ kind, tell }: Copy, file: KillMatrix): Promise<Row> =>
  copyRow(kind, await tell(), file)

/** How often a client that is not as it should be is told again. */
const timesRetold = 4

/**
 * Alone, when all else is told: on a busy machine time is up before it should be. With `check` a row is as it should
 * be where the file says the same; a file that is written anew has nothing to say.
 */
async function retold(rows: readonly Row[], file: KillMatrix, check: boolean): Promise<readonly Row[]> {
  const settled = [...rows]
  const isRight = (row: Row | undefined): boolean =>
    row !== undefined && row.problems.length + (check ? row.drift.length : 0) === 0
  for (const [index, copy] of clientCopies().entries())
    for (let times = 0; times < timesRetold && !isRight(settled[index]); times += 1)
      settled[index] = await clientRow(copy, file)
  return settled
}

/** The broken clients alone, with the rest of the file as it is. */
export async function runClients(): Promise<number> {
  const file = readMatrix()
  const told = await retold(await clientRows(file), file, false)
  writeMatrix({ ...file, clients: linesOf(told) })
  const killed = new Set(told.flatMap(({ line }) => cellsOf(line)?.kills ?? []))
  const reasons = Object.entries(unkillable).filter(([check]) => clientChecks.includes(check))
  const unexplained = [
    ...told.flatMap(({ problems }) => problems),
    ...unexplainedChecks(clientChecks, killed, Object.fromEntries(reasons)),
  ]
  for (const words of unexplained) console.log(words)
  console.log(
    `${clientChecks.length} checks, ${told.length} broken clients, ${unexplained.length} unexplained`,
  )
  return unexplained.length
}

function linesOf(rows: readonly Row[]): KillMatrix['faults'] {
  return Object.fromEntries(rows.map(({ id, line }) => [id, line]))
}
