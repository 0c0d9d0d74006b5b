/** bench/results.json: the latest result of every row. */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { withGoal, type BenchRow } from './figures.ts'
import type { Machine } from './machine.ts'
import schema from './results.schema.json' with { type: 'json' }

export interface DatedRow extends BenchRow {
  /** The day it was measured, as in `2026-11-30`. */
  date: string
}

export interface Results {
  /** The machine of the latest measurement. */
  machine: Machine
  rows: readonly DatedRow[]
}

const file = fileURLToPath(new URL('results.json', import.meta.url))

/** Throws if the file does not match its schema. */
export function readResults(): Results {
  return parseResults(readFileSync(file, 'utf8'))
}

export function parseResults(text: string): Results {
  const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true })
  addFormats.default(ajv)
  const results: unknown = JSON.parse(text)
  if (!ajv.validate<Results>(schema, results))
    throw new Error(`bench/results.json ${ajv.errorsText()}; run npm run bench to rewrite it`)
  return results
}

/** Replaces rows of `before` by those of `now` in place and appends new ones, all with the goals that they have now. */
export function merged(before: readonly DatedRow[], now: readonly DatedRow[]): readonly DatedRow[] {
  const fresh = new Map(now.map((row) => [row.id, row]))
  const updated = before.map((row) => fresh.get(row.id) ?? row)
  const added = now.filter(({ id }) => !before.some((row) => row.id === id))
  return [...updated, ...added].map((row) => withGoal(row))
}

export function writeResults(results: Results): void {
  writeFileSync(file, `${JSON.stringify(rounded(results), null, 2)}\n`)
}

/** More than four digits would be noise. */
function rounded(results: Results): unknown {
  return JSON.parse(
    JSON.stringify(results, (_, value: unknown) =>
      typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(4)) : value,
    ),
  )
}
