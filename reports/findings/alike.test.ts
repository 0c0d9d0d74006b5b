import { expect, it } from 'vitest'
import { alike } from './alike.ts'
import { finding } from '../testing/run.testkit.ts'

it('reports once what one scenario says of several clauses, and apart what another exchange shows', () => {
  const crash = { verdict: 'error', scenario: 's', detail: 'the scenario threw', evidence: [] } as const
  const groups = alike([
    finding({ ...crash, subject: 'IDEM-KEY-MIN' }),
    finding({ verdict: 'fail', scenario: 's', expected: 'a', got: 'b', evidence: [1] }),
    finding({ ...crash, subject: 'IDEM-KEY-MAX' }),
    finding({ verdict: 'fail', scenario: 's', expected: 'a', got: 'b', evidence: [2] }),
    finding({ ...crash, scenario: 't', subject: 'IDEM-KEY-OVER' }),
  ])

  expect(groups.map(({ finding: { subject }, also }) => [subject, ...also])).toEqual([
    ['IDEM-KEY-MIN', 'IDEM-KEY-MAX'],
    ['IDEM-REPLAY-HEADER'],
    ['IDEM-REPLAY-HEADER'],
    ['IDEM-KEY-OVER'],
  ])
})
