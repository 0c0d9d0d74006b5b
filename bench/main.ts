/**
 * `npm run bench [NAME...]` measures all or the named benchmarks, writes bench/results.json and docs/measured/performance.md, and
 * reports regressions. `--quick` is less exact and writes nothing; `--check` writes nothing, measures the cheap ones
 * if none is named, and fails on a regression.
 */
import { parseArgs } from 'node:util'
import { benches, type BenchName } from './benches.ts'
import type { BenchRow } from './figures.ts'
import { isAlike, machine, shareInUse } from './machine.ts'
import type { Effort } from './measure.ts'
import { writePage } from './page.ts'
import { regressions, type Regression } from './regressions.ts'
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

const efforts = {
  full: { rounds: 9, loadMs: 1_200, quick: false, installs: true },
  quick: { rounds: 3, loadMs: 400, quick: true, installs: true },
  check: { rounds: 5, loadMs: 400, quick: false, installs: false },
  checkAgain: { rounds: 11, loadMs: 800, quick: false, installs: false },
} as const satisfies Record<string, Effort>

/** What `--check` measures if nothing is named. */
const cheap: readonly BenchName[] = ['startup', 'turns', 'streams']

/** Ratios of short measurements on a busy machine vary by up to a fifth. */
const checkTolerance = 0.25

/** With more of the processors in use by others, a worse ratio says nothing. */
const mostInUse = 0.25

const before = readResults()
const here = machine()
const date = new Date().toISOString().slice(0, 10)

/** Reports an error of a benchmark and continues with the others. */
async function measured(name: BenchName, effort: Effort): Promise<readonly BenchRow[]> {
  try {
    const rows = await benches[name](effort)
    for (const row of rows) console.log(rowLine(row))
    return rows
  } catch (reason) {
    console.error(`${name} failed: ${errorMessage(reason)}`)
    process.exitCode = 1
    return []
  }
}

/** Called after each benchmark, so that an interrupted run loses only the current one. */
function writeRows(rows: readonly BenchRow[]): void {
  const dated = rows.map((row) => ({ ...row, date }))
  const results = { machine: here, rows: merged(before.rows, dated) }
  writeResults(results)
  // Read back, because the file has rounded figures.
  writePage(readResults())
}

async function measure(chosen: readonly BenchName[], effort: Effort): Promise<readonly BenchRow[]> {
  const rows: BenchRow[] = []
  for (const name of chosen) {
    const found = await measured(name, effort)
    rows.push(...found)
    if (effort === efforts.full && found.length > 0) writeRows(rows)
  }
  return rows
}

/**
 * Compares ratios only, and none that reaches its goal: on a busy machine those that are far from it vary most. What is
 * worse is measured again with more rounds.
 */
async function check(chosen: readonly BenchName[], effort: Effort): Promise<readonly Regression[]> {
  const rows = await measure(chosen, effort)
  const reached = new Set(rows.flatMap((row) => (row.reached ? [row.id] : [])))
  const worse = regressions(before.rows, rows, false, checkTolerance).filter(({ id }) => !reached.has(id))
  for (const one of worse) console.log(regressionLine(one))
  if (worse.length === 0 || effort === efforts.checkAgain) return worse
  console.log('measuring again, with more rounds')
  const again = chosen.filter((name) => worse.some(({ id }) => id.startsWith(`${name}/`)))
  return check(again, efforts.checkAgain)
}

/** Prints why nothing can be concluded. */
async function isBusy(): Promise<boolean> {
  const inUse = await shareInUse()
  if (inUse <= mostInUse) return false
  console.log(`not checked: other processes use ${Math.round(100 * inUse)} % of the processors; stop them`)
  return true
}

const chosen = names.filter((name) =>
  (positionals.length > 0 ? positionals : values.check ? cheap : names).includes(name),
)
if (values.check) {
  const fails = !(await isBusy()) && (await check(chosen, efforts.check)).length > 0 && !(await isBusy())
  if (fails) process.exitCode = 1
} else {
  const rows = await measure(chosen, values.quick ? efforts.quick : efforts.full)
  for (const one of regressions(before.rows, rows, isAlike(before.machine, here)))
    console.log(regressionLine(one))
}
