import { expect, test } from 'vitest'
import { redClauses, simulatedRun, troubles } from '../simulated-run.ts'

test('a service that reads the older variant in other ways passes all of it, which alone proves nothing', async () => {
  const interpretations = { 'GAP-OLDER-EVENTS': 'content', 'GAP-OLDER-RETRY-AFTER': 'always' } as const
  const run = await simulatedRun({ legacy: true, interpretations }, { only: ['older-variant'] })
  expect(troubles(run)).toEqual([])
  expect(run.record.findings.length).toBeGreaterThan(15)
  expect(run.record).toMatchObject({
    conformance: 'partial',
    exitCode: 3,
    gate: { because: ['no check passed'] },
  })
})

test('what is wrong with the older variant is found, and changes neither answer of the run', async () => {
  const only = ['older-variant', 'streaming/*']
  const run = await simulatedRun({ faults: ['older-error-flat', 'older-key-for-all'] }, { only })
  expect(redClauses(run)).toEqual(['OLD-ERROR', 'OLD-KEY', 'OLD-REFUSALS'])
  expect(run.record).toMatchObject({ conformance: 'partial', exitCode: 0, gate: { because: [] } })
})
