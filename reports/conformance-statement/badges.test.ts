import { expect, it } from 'vitest'
import { finding, runOf } from '../testing/run.testkit.ts'
import { badgeFiles } from './badges.ts'

const files = badgeFiles(
  runOf([finding({ verdict: 'fail' }), finding({ check: 'a/b/IDEM-REPLAY-KEEP', verdict: 'pass' })]),
)

it('has a badge for the whole and for each area, in both forms', () => {
  expect([...files.keys()].slice(0, 2)).toEqual(['badge.json', 'badge.svg'])
  expect(files.has('badges/idempotency.json')).toBe(true)
  expect(files.has('badges/signing.svg')).toBe(true)
  expect(files.size % 2).toBe(0)
})

it.each([
  ['badge.json', 'contract 2026-11', /^nonconformant: /],
  ['badges/idempotency.json', 'idempotency', /^1 of \d+ MUST failed$/],
  ['badges/signing.json', 'signing', /^not tested$/],
])('%s states the result', (file, label, message) => {
  expect(JSON.parse(files.get(file) ?? '')).toEqual({
    schemaVersion: 1,
    label,
    message: expect.stringMatching(message),
    color: expect.stringMatching(/^[a-z]+$/),
  })
})
