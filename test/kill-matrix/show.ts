/** Some faults, each with what it turned red: for whoever writes one. Nothing is written. */
import type { KillMatrix } from '../../reports/proof/kill-matrix.ts'
import type { FaultId } from '../../simulator/index.ts'
import { batches, unrelatedScenarios, scenariosFor } from './batches.ts'
import { createWorkerPool } from './worker-pool.ts'
import { problemsOf, sureOf } from './explain.ts'
import { showsHere, unshown, rows } from './machine.ts'

/** With every long scenario that judges what they break. */
const none: KillMatrix = { faults: {}, receivers: {}, clients: {} }

/** How many of them are unexplained. */
export async function showFaults(ids: readonly FaultId[]): Promise<number> {
  const crew = createWorkerPool()
  const all = batches()
  const results = ids.filter(showsHere).map(async (id) => {
    const batch = all.find((one) => one.ids.includes(id))
    const red = batch
      ? await crew.run({ faults: [id], scenarios: scenariosFor(id, batch, none), unrelated: false })
      : []
    const beside = batch
      ? await crew.run({ faults: [id], scenarios: unrelatedScenarios(batch), unrelated: true })
      : []
    const problems = [
      ...problemsOf({ id, breaks: rows[id].breaks, cellsOfRuns: [sureOf(red, rows[id].chance)] }),
      ...beside.map(({ message: says }) => `in a scenario about something else, ${says}`),
    ]
    console.log([`${id}: ${rows[id].title}`, ...red.map(({ message: says }) => `  ${says}`)].join('\n'))
    for (const problem of problems) console.log(`  UNEXPLAINED ${problem}`)
    if (problems.length > 0) console.log('  Correct `breaks` of its row, or the fault, or the check.')
    return problems.length > 0
  })
  const unexplained = (await Promise.all(results)).filter(Boolean).length
  crew.close()
  for (const id of ids.filter((id) => !showsHere(id))) console.log(unshown(id))
  const reported = ids.filter(showsHere).length
  console.log(`${reported} faults, ${reported - unexplained} killed, ${unexplained} unexplained`)
  return unexplained
}
