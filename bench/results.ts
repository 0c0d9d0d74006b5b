/** bench/results.json: every row as it was last measured. */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { Row } from './figures.ts'
import type { Machine } from './machine.ts'
import schema from './results.schema.json' with { type: 'json' }

export interface KeptRow extends Row {
  /** The day it was measured, as in `2026-11-30`. */
  date: string
}

export interface Results {
  /** That measured last. */
  machine: Machine
  rows: readonly KeptRow[]
}

const file = fileURLToPath(new URL('results.json', import.meta.url))

/** Throws where the file is not as its schema says. */
export function readResults(): Results {
  return parseResults(readFileSync(file, 'utf8'))
}

export function parseResults(text: string): Results {
  const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true })
  addFormats.default(ajv)
  const results: unknown = JSON.parse(text)
  if (!ajv.validate<Results>(schema, results))
    throw new Error(`bench/results.json ${ajv.errorsText()}; run npm run bench to write it anew`)
  return results
}

/** The rows of `now` in the places of those that they replace; what is new comes last. */
export function merged(before: readonly KeptRow[], now: readonly KeptRow[]): readonly KeptRow[] {
  const fresh = new Map(now.map((row) => [row.id, row]))
  const kept = before.map((row) => fresh.get(row.id) ?? row)
  return [...kept, ...now.filter(({ id }) => !before.some((row) => row.id === id))]
}

export function writeResults(results: Results): void {
  writeFileSync(file, `${JSON.stringify(rounded(results), null, 2)}\n`)
}

/** Four digits say more than a measurement does. */
function rounded(results: Results): unknown {
  return JSON.parse(
    JSON.stringify(results, (_, value: unknown) =>
      typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(4)) : value,
    ),
  )
}
