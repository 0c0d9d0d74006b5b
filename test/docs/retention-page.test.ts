import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { retention } from '../../simulator/tenant/retention.ts'

test('the page of what is remembered says what is remembered', () => {
  const page = readFileSync(new URL('../../docs/retention.md', import.meta.url), 'utf8')
  const rows = [...page.matchAll(/^\| `(\w+)`[^|]*\| +([\d,]+) +\| (?:(\d+) MiB)? +\| (?:(\d+) days|ever)/gm)]
  const reported = rows.map(([, name, most, mebibytes, days]) => [
    name,
    {
      most: Number(most?.replaceAll(',', '')),
      ...(mebibytes !== undefined && { bytes: Number(mebibytes) * 1024 * 1024 }),
      ageMs: days === undefined ? Infinity : Number(days) * 86_400_000,
    },
  ])
  expect(Object.fromEntries(reported)).toEqual(retention)
})
