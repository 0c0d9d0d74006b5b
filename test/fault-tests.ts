/** The tests that hold faults against the stories: each breaks what it says it breaks, all of it and nothing else. */
import { describe, expect, test } from 'vitest'
import type { Area } from '../spec/index.ts'
import type { FaultId } from '../simulator/index.ts'
import type { Finding, Run, Scenarios } from '../suites/index.ts'
import { ownWays } from '../suites/webhooks/hosts.ts'
import { batchesOf, rows, storiesAbout } from './fault-batches.ts'
import { line, redClauses, simulatedRun } from './simulated-run.ts'

const hasPrivateAddress = ownWays().some(({ list }) => list === 'private')
const shows = (id: FaultId): boolean => rows[id].machine === undefined || hasPrivateAddress

const red = (run: Run): readonly Finding[] =>
  run.record.findings.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')
const why = (run: Run): string => red(run).map(line).join('\n')
const isRed = (run: Run, story: string): boolean =>
  red(run).some(({ check }) => check.startsWith(`${story}/`))

/** What these faults turn red in stories that none of them is about; empty where only their mixture does. */
async function trespasses(ids: readonly FaultId[], others: Scenarios): Promise<readonly string[]> {
  const run = await simulatedRun({ faults: ids }, { scenarios: others })
  if (red(run).length === 0) return []
  const told = Object.entries(others).filter(([story]) => isRed(run, story))
  if (ids.length === 1) return [`${ids.join()}: ${why(run)}`]
  const half = Math.ceil(ids.length / 2)
  const halves = [ids.slice(0, half), ids.slice(half)]
  const found = await Promise.all(halves.map((some) => trespasses(some, Object.fromEntries(told))))
  return found.flat()
}

/** For the faults that break something in these areas before all others. */
export function holdFaults(leading: readonly Area[]): void {
  const batches = batchesOf(leading)

  describe('a fault turns exactly its named checks red', () => {
    const each = batches.flatMap(({ ids, areas }) => ids.map((id) => [id, areas] as const))
    test.concurrent.for(each)('%s', async ([id, areas], { skip }) => {
      skip(!shows(id), 'this machine has no private address')
      const run = await simulatedRun({ faults: [id] }, { scenarios: storiesAbout(areas).about })
      expect(redClauses(run), why(run)).toEqual([...rows[id].breaks].sort())
    })
  })

  // What a fault does to areas that it is not about is seen with others of its kind together.
  describe('the faults of some areas leave the others alone', () => {
    const each = batches.map(({ ids, areas }) => [areas.join(', '), ids, areas] as const)
    test.concurrent.for(each)('%s: %s', async ([, ids, areas]) => {
      expect(await trespasses(ids, storiesAbout(areas).others)).toEqual([])
    })
  })
}
