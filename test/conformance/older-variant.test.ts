import { describe, expect, test } from 'vitest'
import { gaps } from '../../spec/index.ts'
import { redClauses, simulatedRun, troubles } from '../simulated-run.ts'

const older = ['GAP-OLDER-EVENTS', 'GAP-OLDER-KEY', 'GAP-OLDER-RETRY-AFTER'] as const
const interpretations = older.flatMap((gap) =>
  Object.keys(gaps[gap].interpretations).map((interpretation) => [gap, interpretation]),
)

describe('a service that serves the older variant', () => {
  test.concurrent.for(interpretations)(
    'passes all that is asked of it with %s read as %s',
    async ([gap = '', interpretation]) => {
      const run = await simulatedRun(
        { legacy: true, interpretations: { [gap]: interpretation } },
        { only: ['older-variant'] },
      )
      expect(troubles(run)).toEqual([])
      expect(run.record.findings.length).toBeGreaterThan(15)
    },
  )
})

test('what is wrong with the older variant is found, and changes neither answer of the run', async () => {
  const run = await simulatedRun({ faults: ['older-error-flat', 'older-key-for-all'] })
  expect(redClauses(run)).toEqual(['OLD-ERROR', 'OLD-KEY', 'OLD-REFUSALS'])
  expect(run.record).toMatchObject({ conformance: 'conformant', exitCode: 0, gate: { because: [] } })
})

test('a run in which nothing else was asked proves nothing', async () => {
  const { record } = await simulatedRun({ legacy: true }, { only: ['older-variant'] })
  expect(record).toMatchObject({
    conformance: 'partial',
    exitCode: 3,
    gate: { because: ['no check passed'] },
  })
})
