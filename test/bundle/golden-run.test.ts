/** The run in test/golden-run is read by every later version, whatever clauses and reports there are by then. */
import { expect, test } from 'vitest'
import { readBundle } from '../../cli/rejudge/read-bundle.ts'
import { formats } from '../../reports/formats/index.ts'
import { rejudge } from '../../suites/runner/outcome/rejudge.ts'
import { scenariosFor } from '../../suites/scenarios.ts'

const { run, basis, ends } = readBundle('test/golden-run')
const verdicts = ({ findings }: Pick<typeof run.record, 'findings'>) =>
  findings.map(({ check, verdict }) => [check, verdict])

test('a run of an earlier version is read whole, with its passes and its failures', () => {
  expect(ends).toBeNull()
  expect(run.journal.length).toBeGreaterThan(4)
  expect(run.record.conformance).toBe('nonconformant')
  expect(run.record.findings.map(({ verdict }) => verdict)).toEqual(expect.arrayContaining(['pass', 'fail']))
})

test.for(formats)('a run of an earlier version is rendered as $name', ({ render }) => {
  expect(String(render(run))).toContain('client-chat')
})

test('a run of an earlier version is judged again to the same verdicts', () => {
  expect(verdicts(rejudge(run, scenariosFor(run.record), basis))).toEqual(verdicts(run.record))
})
