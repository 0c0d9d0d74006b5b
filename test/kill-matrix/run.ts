/** Runs the whole matrix, compares it with the file and writes it. */
import pMap from 'p-map'
import type { KillMatrix } from '../../reports/proof/kill-matrix.ts'
import { batches, shownIn, unrelatedJobs } from './batches.ts'
import { clientChecks, receiverChecks, serverChecks } from './checks.ts'
import { clientCopies, type Copy } from './clients.ts'
import type { CopyResult } from './copies.ts'
import { createWorkerPool, type WorkerPool } from './worker-pool.ts'
import { unexplainedChecks } from './explain.ts'
import { cellsOf, readMatrix, shownPath, writeMatrix } from './file.ts'
import { showsHere, unshown, faultIds } from './machine.ts'
import { withFewest } from './long-scenarios.ts'
import { unkillable } from './reasons.ts'
import { runBrokenReceivers } from './receivers.ts'
import { copyRow, faultRow, leftOver, type Row } from './row.ts'

const checks = [...serverChecks, ...receiverChecks, ...clientChecks]

/** Returns the number of unexplained results. With `check`, differences from the file count and nothing is written. */
export async function runMatrix(check: boolean): Promise<number> {
  const began = performance.now()
  const file = readMatrix()
  const { faults, receivers, clients, strays } = await runAll(file, check)
  const matrix = {
    faults: withFewest(linesOf(faults)),
    receivers: linesOf(receivers),
    clients: linesOf(clients),
  }
  const all = [...faults, ...receivers, ...clients]
  const killed = killedBy(all, check)
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

async function runAll(file: KillMatrix, check: boolean) {
  const pool = createWorkerPool()
  try {
    // The longest jobs first, so that no process is idle at the end.
    const [strays, faults, receivers, clients] = await Promise.all([
      check ? [] : runUnrelated(pool),
      Promise.all(
        batches().flatMap((batch) =>
          batch.ids.map((id) => faultRow(id, batch, pool, file, check ? shownIn(id, file) : undefined)),
        ),
      ),
      runBrokenReceivers(),
      runClientCopies(file, check),
    ])
    return {
      faults,
      strays,
      receivers: receivers.map((copy) => copyRow('receiver', [copy], file)),
      clients: await withRetries(clients, file, check),
    }
  } finally {
    pool.close()
  }
}

/** Checks that faults fail in unrelated scenarios. */
async function runUnrelated(pool: WorkerPool): Promise<readonly string[]> {
  const red = await Promise.all(unrelatedJobs(batches()).map((job) => pool.run(job)))
  return red.flat().map(({ message: says }) => `in an unrelated scenario, ${says}`)
}

/** More would delay one another. */
const clientsAtOnce = 5

/** Each with its first run, and what follows. */
type Runs = readonly [Copy, [CopyResult, ...CopyResult[]]][]

const runClientCopies = (file: KillMatrix, check: boolean): Promise<Runs> =>
  pMap(clientCopies(), async (copy) => [copy, [await runCopy(copy, file, check)]], {
    concurrency: clientsAtOnce,
  })

/** With `check`, in the scenarios that it fails according to the file. */
function runCopy({ name, run }: Copy, file: KillMatrix, check: boolean): Promise<CopyResult> {
  const { kills = [], sometimes = [] } = cellsOf(file.clients[name]) ?? {}
  const failed = [...kills, ...sometimes].map((cell) => cell.slice(0, cell.lastIndexOf('/')))
  return check && failed.length > 0 ? run([...new Set(failed)]) : run()
}

/** For a client with an unexpected result. */
const retries = 4

/**
 * Repeats unexpected client runs alone, after everything else, because timeouts expire early on a busy machine. With
 * `check`, a difference from the file is unexpected, too.
 */
async function withRetries(first: Runs, file: KillMatrix, check: boolean): Promise<readonly Row[]> {
  const isRight = ({ problems, drift }: Row): boolean => problems.length + (check ? drift.length : 0) === 0
  for (const [copy, runs] of first)
    while (runs.length <= retries && !isRight(copyRow(copy.kind, runs, file)))
      runs.push(await runCopy(copy, file, check))
  return first.map(([copy, runs]) => copyRow(copy.kind, runs, file))
}

/** Runs only the broken clients and updates their lines of the file. */
export async function runClients(): Promise<number> {
  const file = readMatrix()
  const copies = await withRetries(await runClientCopies(file, false), file, false)
  writeMatrix({ ...file, clients: linesOf(copies) })
  const killed = killedBy(copies, false)
  const reasons = Object.entries(unkillable).filter(([check]) => clientChecks.includes(check))
  const unexplained = [
    ...copies.flatMap(({ problems }) => problems),
    ...unexplainedChecks(clientChecks, killed, Object.fromEntries(reasons)),
  ]
  for (const words of unexplained) console.log(words)
  console.log(
    `${clientChecks.length} checks, ${copies.length} broken clients, ${unexplained.length} unexplained`,
  )
  return unexplained.length
}

/** With `check`, one run of several is enough for a kill that is in the file, as it is no difference from it. */
function killedBy(rows: readonly Row[], check: boolean): ReadonlySet<string> {
  return new Set(
    rows.flatMap(({ line, confirmed }) => [...(cellsOf(line)?.kills ?? []), ...(check ? confirmed : [])]),
  )
}

function linesOf(rows: readonly Row[]): KillMatrix['faults'] {
  return Object.fromEntries(rows.map(({ id, line }) => [id, line]))
}
