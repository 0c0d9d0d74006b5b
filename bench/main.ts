/**
 * `npm run bench` measures everything, writes bench/results.json and docs/performance.md, and says what got worse than
 * the file had it. With names, those alone; `--quick` takes a look and writes nothing; `--check` writes nothing either,
 * and fails where something got worse.
 */
import { parseArgs } from 'node:util'
import { benches, type BenchName } from './benches.ts'
import type { Row } from './figures.ts'
import { isAlike, machine } from './machine.ts'
import type { Effort } from './measure.ts'
import { writePage } from './page.ts'
import { regressions } from './regressions.ts'
import { merged, readResults, writeResults } from './results.ts'
import { regressionLine, rowLine } from './words.ts'

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
  console.error(`there is no bench ${unknown.join(', ')}; there are: ${names.join(', ')}`)
  process.exit(2)
}

const effort: Effort = values.quick
  ? { rounds: 3, loadMs: 400, quick: true }
  : { rounds: 9, loadMs: 1_200, quick: false }

/** What a bench throws is told, and does not keep the others from being measured. */
async function measured(name: BenchName): Promise<readonly Row[]> {
  try {
    return await benches[name](effort)
  } catch (reason) {
    console.error(
      `${name} could not be measured: ${reason instanceof Error ? reason.message : String(reason)}`,
    )
    process.exitCode = 1
    return []
  }
}

const before = readResults()
const here = machine()
const date = new Date().toISOString().slice(0, 10)
const keeps = !values.check && !values.quick
const rows: Row[] = []

/** After each bench, so that one which has to be ended takes nothing with it. */
function keep(): void {
  const dated = rows.map((row) => ({ ...row, date }))
  const results = { machine: here, rows: merged(before.rows, dated) }
  writeResults(results)
  // As the file has them, which is less exact than what was measured.
  writePage(readResults())
}

for (const name of names.filter((name) => positionals.length === 0 || positionals.includes(name))) {
  const found = await measured(name)
  for (const row of found) console.log(rowLine(row))
  rows.push(...found)
  if (keeps && found.length > 0) keep()
}

const worse = regressions(before.rows, rows, isAlike(before.machine, here))
for (const one of worse) console.log(regressionLine(one))
if (values.check && worse.length > 0) process.exitCode = 1
