import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { hardIds } from './hard-faults.ts'

const page = readFileSync(new URL('../../docs/measured/detection-power.md', import.meta.url), 'utf8')

test('the page about detection power has a row for every hard fault, and for nothing else: else `npm run lab -- power`', () => {
  const rows = [...page.matchAll(/^\| `([a-z0-9-]+)` \|/gm)].map(([, id = '']) => id)
  expect(rows).toEqual(hardIds)
})
