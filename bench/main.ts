/**
 * `npm run bench [NAME...]` measures all or the named benchmarks, writes bench/results.json and docs/performance.md, and
 * reports regressions. `--quick` is less exact and writes nothing; `--check` writes nothing and fails on a regression.
 */
import { parseArgs } from 'node:util'
import { benches, type BenchName } from './benches.ts'
import type { BenchRow } from './figures.ts'
import { isAlike, machine } from './machine.ts'
import type { Effort } from './measure.ts'
import { writePage } from './page.ts'
import { regressions } from './regressions.ts'
import { merged, readResults, writeResults } from './results.ts'
import { regressionLine, rowLine } from './format.ts'
import { errorMessage } from '../reports/bundle/text.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    check: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
  },
})
const names = Object.keys(benches) as BenchName[]
const unknown = positionals.filter((name) => !(names as string[]).includes(name))
if (unknown.length > 0) {
  console.error(`unknown benchmark ${unknown.join(', ')}; choose from ${names.join(', ')}`)
  process.exit(2)
}

const effort: Effort = values.quick
  ? { rounds: 3, loadMs: 400, quick: true }
  : { rounds: 9, loadMs: 1_200, quick: false }

/** Reports an error of a benchmark and continues with the others. */
async function measured(name: BenchName): Promise<readonly BenchRow[]> {
  try {
    return await benches[name](effort)
  } catch (reason) {
    console.error(`${name} failed: ${errorMessage(reason)}`)
    process.exitCode = 1
    return []
  }
}

const before = readResults()
const here = machine()
const date = new Date().toISOString().slice(0, 10)
const writes = !values.check && !values.quick
const rows: BenchRow[] = []

/** Called after each benchmark, so that an interrupted run loses only the current one. */
function writeRows(): void {
  const dated = rows.map((row) => ({ ...row, date }))
  const results = { machine: here, rows: merged(before.rows, dated) }
  writeResults(results)
  // Read back, because the file has rounded figures.
  writePage(readResults())
}

for (const name of names.filter((name) => positionals.length === 0 || positionals.includes(name))) {
  const found = await measured(name)
  for (const row of found) console.log(rowLine(row))
  rows.push(...found)
  if (writes && found.length > 0) writeRows()
}

const worse = regressions(before.rows, rows, isAlike(before.machine, here))
for (const one of worse) console.log(regressionLine(one))
if (values.check && worse.length > 0) process.exitCode = 1
