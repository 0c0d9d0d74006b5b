import { expect, test } from 'vitest'
import { everyVerdict, finding, runOf } from '../testing/run.testkit.ts'
import { badgeJson, runBadge, badgeSvg, type Badge } from './badge.ts'

const passed = [finding({ verdict: 'pass' })]
const shard = { number: 2, of: 4, plan: 'ab'.repeat(32) }

test.for([
  ['a failed clause', runOf(everyVerdict()), /^nonconformant: 1 of \d+ MUST clauses failed$/, 'red'],
  [
    'a conformant run',
    runOf(passed, { conformance: 'conformant' }),
    /^conformant: 1 of \d+ MUST clauses passed$/,
    'brightgreen',
  ],
  [
    'a partial run',
    runOf(passed, { conformance: 'partial' }),
    /^partial: 1 of \d+ MUST clauses passed$/,
    'yellow',
  ],
  [
    'a run of the simulator',
    runOf(passed, { conformance: 'conformant', target: { ...runOf([]).record.target, kind: 'simulator' } }),
    /^conformant: .+ passed \(simulator\)$/,
    'brightgreen',
  ],
  [
    'a shard',
    runOf(passed, { conformance: 'conformant', plan: { ...runOf(passed).record.plan, shard } }),
    /^shard 2 of 4$/,
    'lightgrey',
  ],
] as const)('the badge of %s has its result and colour', ([, run, message, color]) => {
  expect(JSON.parse(badgeJson(runBadge(run)))).toEqual({
    schemaVersion: 1,
    label: 'contract 2026-11',
    message: expect.stringMatching(message) as string,
    color,
  })
})

test('the picture names its result for those who do not see it, and is well-formed whatever the words are', () => {
  const odd: Badge = { label: 'a & b', message: '<script>"', tone: 'bad' }
  const svg = badgeSvg(odd)
  expect(svg).toContain('aria-label="a &amp; b: &lt;script&gt;&quot;"')
  expect(svg).not.toMatch(/<script|[^\d]NaN/)
})
