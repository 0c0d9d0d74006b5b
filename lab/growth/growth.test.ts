import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { grow } from './growth.ts'

test('once its limits are reached, neither a tenant nor its file grows any more', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-growth-'))
  const limit = { most: 200, ageMs: Infinity }
  try {
    const file = join(folder, 'growth.db')
    const { samples, dropped } = await grow({
      keys: 2_000,
      file,
      retention: { keys: limit, conversations: limit },
    })
    expect(samples.map(({ keys }) => keys)).toEqual(samples.map(() => 200))
    expect(dropped).toEqual({ 'idempotency keys': 1_800, conversations: 1_800 })
    const [first, last] = [samples[2]?.fileMiB ?? 0, samples.at(-1)?.fileMiB ?? Infinity]
    expect(first).toBeGreaterThan(0)
    expect(last / first).toBeLessThan(1.3)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('what is older than it may be goes, however few there are', async () => {
  const { samples } = await grow({
    keys: 1_000,
    days: 10,
    retention: { keys: { most: 1e6, ageMs: 86_400_000 } },
  })
  const left = samples.at(-1)?.keys ?? 0
  expect(left).toBeGreaterThan(50)
  expect(left).toBeLessThanOrEqual(201)
})
