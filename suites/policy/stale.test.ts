import { expect, test } from 'vitest'
import type { Finding, Verdict } from '../../bundle/record.ts'
import { findingOf } from '../../bundle/testing/finding.testkit.ts'
import type { KnownCheck } from './expected.ts'
import { emptyPolicy, type Policy } from './policy.ts'
import { staleEntries } from './baseline.ts'

const check = 'streaming/turn/SSE-CONTENT-TYPE'
const fingerprint = '0123456789ab'
const owned = { check, owner: 'chat team', reason: 'a proxy', expires: '2030-01-31', at: 'touchstone.yaml:7' }
const known = { ...owned, fingerprint, created: '2030-01-01' }
const names = [check, 'SSE-CONTENT-TYPE', 'streaming/turn', 'streaming', 'stream.tool']
const all: readonly KnownCheck[] = [
  { check, names, offered: true },
  { check: 'auth/key/AUTH-KEY', names: ['auth/key/AUTH-KEY', 'AUTH-KEY'], offered: true },
  { check: 'auth/slow/AUTH-KEY', names: ['auth/slow/AUTH-KEY', 'AUTH-KEY'], offered: false },
]

const found = (verdict: Verdict, change: Partial<Finding> = {}, of = check): Finding =>
  findingOf({ check: of, subject: 'SSE-CONTENT-TYPE', scenario: 'streaming/turn', verdict, ...change })

const expectation = (pattern: string): Partial<Policy> => ({
  expectedNotExercised: [{ pattern, reason: 'none here', at: 'baseline.yaml:3' }],
})

const knownOne = { knownFailures: [known] }
const it = `touchstone.yaml:7: the known failure ${check} (chat team)`
const expired =
  'expired on 2030-01-09; fix the service and remove the entry, or agree on a later date with chat team'
const rows: readonly (readonly [what: string, Partial<Policy>, Finding, says: string | null])[] = [
  [
    'a failure that became another',
    knownOne,
    found('fail', { fingerprint: 'ffffffffffff' }),
    `${it} fails in another way now; look at it, and if the reason still holds write fingerprint: "ffffffffffff"`,
  ],
  [
    'a failure after its time',
    { knownFailures: [{ ...known, expires: '2030-01-09' }] },
    found('fail', { fingerprint }),
    `${it} ${expired}`,
  ],
  [
    'a failure of a mistyped check',
    { knownFailures: [{ ...known, check: 'streaming/turn/SSE-CONTENT-TYP' }] },
    found('pass'),
    'touchstone.yaml:7: the known failure streaming/turn/SSE-CONTENT-TYP (chat team) names no check; did you mean streaming/turn/SSE-CONTENT-TYPE?',
  ],
  [
    'an expectation that no longer holds',
    expectation('stream.tool'),
    found('pass'),
    'baseline.yaml:3: the expectation "stream.tool" is no longer true, its check was exercised; remove the entry',
  ],
  [
    'a mistyped expectation',
    expectation('stream.tol'),
    found('not-exercised'),
    'baseline.yaml:3: the expectation "stream.tol" means nothing that there is; did you mean stream.tool?',
  ],
  ['an expectation of what was not asked for', expectation('AUTH-*'), found('pass'), null],
]

test.for(rows)('says of %s how to fix the file', ([, policy, finding, says]) => {
  const held = { policy: { ...emptyPolicy, ...policy }, findings: [finding], known: all, today: '2030-01-10' }
  expect(staleEntries(held)).toEqual(says === null ? [] : [says])
})

test('an expectation is held against the checks of the profile alone', () => {
  const findings = [found('pass', {}, 'auth/key/AUTH-KEY')]
  const held = {
    policy: { ...emptyPolicy, ...expectation('AUTH-KEY') },
    findings,
    known: all,
    today: '2030-01-10',
  }
  expect(staleEntries(held)).toHaveLength(1)
})
