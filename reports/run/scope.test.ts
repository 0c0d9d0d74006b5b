import { expect, test } from 'vitest'
import type { Finding, RunRecord } from '../../bundle/record.ts'
import { exporters } from '../index.ts'
import { finding, runOf } from '../testing/run.testkit.ts'
import { answerOf, scopeTexts } from './scope.ts'
import { renderText } from './summary.ts'

const passed = finding()
const barred = finding({ verdict: 'not-exercised', reason: 'opt-in-required', evidence: [] })

/** A partial run of these findings in which so much was chosen. */
function chosen(
  findings: readonly Finding[],
  run: Partial<RunRecord['run']>,
  leftOut: RunRecord['plan']['leftOut'],
  conformance: RunRecord['conformance'] = 'partial',
) {
  const { record, journal } = runOf(findings, { conformance })
  return {
    record: { ...record, run: { ...record.run, ...run }, plan: { ...record.plan, leftOut } },
    journal,
  }
}

const others = ['a/b/IDEM-RUN-ONCE', 'c/d/IDEM-RUN-ONCE']
const selection = chosen([passed], { only: ['IDEM-REPLAY-*'] }, [{ by: 'selection', checks: others }])
const smoke = chosen([passed], { profile: 'smoke' }, [{ by: 'profile', checks: others }])
const careful = chosen([passed, barred], { optIn: ['slow'] }, [{ by: 'not-declared', checks: others }])

test.for([
  [selection, 'partial (selection)', ['A selection: 1 of 3 checks were asked for, by --only IDEM-REPLAY-*']],
  [
    smoke,
    'partial (smoke profile)',
    ['Smoke profile only: --profile standard or exhaustive runs 2 more checks'],
  ],
  [careful, 'partial', ['Without an opt-in: 1 check not tested; opted in: slow']],
  [chosen([passed], {}, [], 'conformant'), 'conformant', []],
] as const)('of what was left out: %#', ([{ record }, word, lines]) => {
  expect(answerOf(record).word).toBe(word)
  expect(scopeTexts(record)).toEqual(lines)
})

test('a conformant run says of how many MUST clauses a check only warns', () => {
  const warned = finding({ verdict: 'warn', subject: 'IDEM-REPLAY-STATUS' })
  expect(answerOf(chosen([passed, warned], {}, [], 'conformant').record).means).toBe(
    'Every MUST clause that applies and can be tested passed. 1 of them only with a warning.',
  )
})

test.for(['junit', 'ctrf', 'markdown', 'html', 'text'])('%s says that a run is a selection', (format) => {
  const exporter = exporters.find(({ name }) => name === format)
  const text = exporter?.render(selection) ?? renderText(selection, { colour: false, width: 120 })
  expect(String(text)).toContain('IDEM-REPLAY-*')
  expect(String(text)).toMatch(/selection/)
})
