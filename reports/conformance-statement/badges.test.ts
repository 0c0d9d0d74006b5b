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
  ['badge.json', 'staging, contract 2026-11', /^nonconformant: /],
  ['badges/idempotency.json', 'staging, idempotency', /^1 of \d+ MUST failed$/],
  ['badges/signing.json', 'staging, signing', /^not tested$/],
])('%s states the result', (file, label, message) => {
  expect(JSON.parse(files.get(file) ?? '')).toEqual({
    schemaVersion: 1,
    label,
    message: expect.stringMatching(message),
    color: expect.stringMatching(/^[a-z]+$/),
  })
})

it('is never green under a set that is not published, and names it', () => {
  const contract = {
    revision: '2026-11-draft.1',
    digest: 'ab'.repeat(32),
    definition: { name: '2026-11-draft.1', base: '2026-11' },
  }
  const target = { name: 'acme', version: '4.2.1', kind: 'staging', baseUrl: 'https://a.example' } as const
  const own = badgeFiles(runOf([finding()], { conformance: 'conformant', contract, target }))

  expect(JSON.parse(own.get('badge.json') ?? '')).toMatchObject({
    label: 'acme 4.2.1, contract 2026-11-draft.1 (unpublished)',
    message: expect.stringMatching(/^conformant \(unpublished clause set\): /),
    color: 'yellow',
  })
  expect([...own].filter(([name, text]) => name.endsWith('.json') && text.includes('brightgreen'))).toEqual(
    [],
  )
})
