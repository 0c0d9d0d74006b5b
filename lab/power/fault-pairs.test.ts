import { describe, expect, test } from 'vitest'
import { roomIds, scenariosOf } from '../../test/rooms.ts'
import { redClauses, simulatedRun } from '../../test/simulated-run.ts'
import { brokenBy, drawPairs } from './fault-pairs.ts'

const scenarios = Object.entries(scenariosOf(roomIds))

describe('two faults of different areas at once break all that each of them breaks', () => {
  test.concurrent.for(drawPairs(1, 50))('%s and %s', async (pair) => {
    const broken = brokenBy(pair)
    const reporting = scenarios.filter(([, { judge }]) => broken.some((clause) => clause in judge))
    const run = await simulatedRun({ faults: pair }, { scenarios: Object.fromEntries(reporting) })
    const red: readonly string[] = redClauses(run)
    // What they turn red besides, as only a mixture does, is no subject here.
    expect(broken.filter((clause) => !red.includes(clause))).toEqual([])
  })
})
