/**
 * `npm run lab -- siege`: hostile clients and receivers, kills, restarts of the database and a full disk, all at once,
 * beside honest clients whose oracle knows every answer. `--minutes` (default 60) are split evenly between the stores
 * of `--store`: `all` (default), or `memory`, `file` or `postgres`, two replicas over a server of its own. `--seed`;
 * `--only PART` of the attacks, by name; `--out FILE` writes the figures as JSON. Plants known defects first, a minute
 * that does not count: an oracle that misses one fails the run. Exit code 1 on any violation.
 */
import { writeFileSync } from 'node:fs'
import { oneOf, optionsOf, whole } from '../../test/options.ts'
import { proveOracle } from './breaks.ts'
import { storeKinds } from './service.ts'
import { besiege } from './siege.ts'
import { summaryLines, verdictLine, type Summary } from './summary.ts'
import { accesses } from './tenants.ts'

const { values } = optionsOf({
  options: {
    minutes: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    store: { type: 'string', default: 'all' },
    only: { type: 'string', default: '' },
    out: { type: 'string' },
  },
})
const chosen = oneOf('--store', values.store, ['all', ...storeKinds] as const)
const stores = chosen === 'all' ? storeKinds : [chosen]
const minutes = whole('minutes', values.minutes) / stores.length
const { seed, only, out } = values
const say = (line: string): void => console.log(line)
// What is to be deleted at the end is deleted by listeners of `exit`.
process.once('SIGINT', () => process.exit(130)).once('SIGTERM', () => process.exit(143))

const { honest } = await accesses()
say('defects that the oracle must find:')
const problems = await proveOracle(honest, seed, say)
for (const problem of problems) say(`VIOLATION: ${problem}`)
const summaries: Summary[] = []
if (problems.length === 0)
  for (const store of stores) {
    const summary = await besiege({ store, minutes, seed, only, say: (line) => say(`${store}: ${line}`) })
    for (const line of summaryLines(summary)) say(line)
    summaries.push(summary)
    if (out !== undefined) writeFileSync(out, JSON.stringify(summaries))
  }
for (const summary of summaries) say(verdictLine(summary))
const violations = problems.length + summaries.reduce((sum, one) => sum + one.violations.length, 0)
process.exitCode = violations === 0 ? 0 : 1
