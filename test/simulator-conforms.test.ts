import { describe, expect, test } from 'vitest'
import { defaultReadings, gapAreas } from '../spec/index.ts'
import { chatScenarios, type Target } from '../suites/index.ts'
import { simulatedRun, troubles } from './simulated-run.ts'

// Later areas join when the simulator and the suites have them.
const { chat } = gapAreas
const otherReadings = (Object.keys(chat) as (keyof typeof chat)[]).flatMap((gap) =>
  Object.keys(chat[gap].readings)
    .filter((reading) => reading !== defaultReadings[gap])
    .map((reading) => [gap, reading] as const),
)

describe('the simulator conforms', () => {
  test.concurrent.for([1, 2, 3, 4, 5])(
    'with seed %i: every check passes, nothing is left out',
    async (seed) => {
      const exhaustive = (target: Target): Target => ({ ...target, profile: 'exhaustive' })
      const run = await simulatedRun({ seed: String(seed) }, { seed }, exhaustive)
      expect(troubles(run)).toEqual([])
      expect(run.record.conformance).toBe('conformant')
      expect(run.record.exitCode).toBe(0)
    },
  )
})

describe('a conforming server may read the contract in another way', () => {
  test.concurrent.for(otherReadings)('%s as %s', async ([gap, reading]) => {
    // What a reading of chat changes shows in the stories about chat.
    const run = await simulatedRun({ readings: { [gap]: reading } }, { scenarios: chatScenarios })
    expect(troubles(run)).toEqual([])
  })
})
