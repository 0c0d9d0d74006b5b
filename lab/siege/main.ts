/**
 * `npm run lab -- siege`: hostile clients and receivers, kills, restarts of the database and a full disk, all at once
 * for an hour, beside honest clients whose oracle knows every answer. `--minutes`, `--seed`, `--store file` (default)
 * or `postgres`, two replicas over a server of its own; `--only PART` of the attacks, by name; `--out FILE`
 * writes the figures as JSON. Plants known defects
 * first: an oracle that misses one fails the run. Exit code 1 on any violation.
 */
import { writeFileSync } from 'node:fs'
import { oneOf, optionsOf, whole } from '../../test/options.ts'
import { proveOracle } from './breaks.ts'
import { besiege } from './siege.ts'
import { summaryLines } from './summary.ts'
import { accesses } from './tenants.ts'

const { values } = optionsOf({
  options: {
    minutes: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    store: { type: 'string', default: 'file' },
    only: { type: 'string', default: '' },
    out: { type: 'string' },
  },
})
const store = oneOf('--store', values.store, ['file', 'postgres'] as const)
const minutes = whole('minutes', values.minutes)
const say = (line: string): void => console.log(line)

const { honest } = await accesses()
say('defects that the oracle must find:')
const problems = await proveOracle(honest, values.seed, say)
if (problems.length > 0) {
  for (const problem of problems) say(`VIOLATION: ${problem}`)
  process.exitCode = 1
} else {
  const summary = await besiege({ store, minutes, seed: values.seed, only: values.only, say })
  for (const line of summaryLines(summary)) say(line)
  if (values.out !== undefined) writeFileSync(values.out, JSON.stringify(summary))
  process.exitCode = summary.violations.length === 0 ? 0 : 1
}
