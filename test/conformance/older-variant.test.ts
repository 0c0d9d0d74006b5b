import { expect, test } from 'vitest'
import type { Interpretations } from '../../spec/index.ts'
import { redClauses, simulatedRun, troubles } from '../simulated-run.ts'

const rounds: readonly Partial<Interpretations>[] = [
  {},
  { 'GAP-OLDER-EVENTS': 'content', 'GAP-OLDER-RETRY-AFTER': 'always' },
]

test.for(rounds)(
  'a service that serves the older variant passes all of it, read as %o',
  async (interpretations) => {
    const run = await simulatedRun({ legacy: true, interpretations }, { only: ['older-variant'] })
    expect(troubles(run)).toEqual([])
    expect(run.record.findings.length).toBeGreaterThan(15)
  },
)

test('what is wrong with the older variant is found, and changes neither answer of the run', async () => {
  const only = ['older-variant', 'streaming/*']
  const run = await simulatedRun({ faults: ['older-error-flat', 'older-key-for-all'] }, { only })
  expect(redClauses(run)).toEqual(['OLD-ERROR', 'OLD-KEY', 'OLD-REFUSALS'])
  expect(run.record).toMatchObject({ conformance: 'partial', exitCode: 0, gate: { because: [] } })
})

test('a run in which nothing else was asked proves nothing', async () => {
  const { record } = await simulatedRun({ legacy: true }, { only: ['older-variant'] })
  expect(record).toMatchObject({
    conformance: 'partial',
    exitCode: 3,
    gate: { because: ['no check passed'] },
  })
})
