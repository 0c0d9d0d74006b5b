/** The random sequences of chat: small where a fault shows in a sequence only. */
import { describe, expect, test } from 'vitest'
import type { FaultId } from '../../simulator/index.ts'
import { chatScenarios, rejudge, type Run, type Target } from '../../suites/index.ts'
import { exploredOf } from '../../suites/models/sequences.ts'
import { simulatedRun } from '../simulated-run.ts'

/** The smallest failing course of a scenario, by the names of its exchanges. */
function courseOf({ record, journal }: Run, planned: string): readonly string[] {
  const execution = record.scenarioRuns.find(({ scenario }) => scenario === planned)
  const failure = execution && exploredOf(execution.notes)?.failure
  if (!failure) return []
  const { from, to } = failure
  return journal
    .filter(({ scenario, id }) => scenario === planned && id >= from && id <= to)
    .map(({ name }) => name)
}

const faults: readonly (readonly [FaultId, scenario: string, course: readonly string[]])[] = [
  ['bad-request-forgets-newest-key', 'walk/some-keys', ['turn', 'empty', 'again']],
  ['conflict-forgets-replayed-key', 'walk/some-keys', ['turn', 'again', 'otherMessage', 'again']],
  ['superseded-button-current-after-replay', 'walk/button-presses', ['opening', 'press', 'again', 'stale']],
]

describe('a fault that shows in a sequence only', () => {
  test.each(faults)(
    '%s is found by %s and made as small as it gets, and again from the record',
    async (fault, scenario, course) => {
      for (const seed of [1, 2, 3]) {
        const scenarios = Object.fromEntries(Object.entries(chatScenarios).filter(([id]) => id === scenario))
        const targets: Target[] = []
        const run = await simulatedRun({ faults: [fault] }, { scenarios, seed }, (target) => {
          targets.push(target)
          return target
        })
        expect(courseOf(run, scenario), `seed ${seed}`).toEqual(course)
        const [red] = run.record.findings.filter(({ verdict }) => verdict === 'fail')
        expect(red?.detail).toBe('reproduced 2 of 2')
        expect(red?.evidence).toHaveLength(course.filter((name) => !name.startsWith('probe')).length)
        for (const target of targets)
          expect(rejudge(run, scenarios, target).findings).toEqual(run.record.findings)
      }
    },
  )
})
