/**
 * Faults × checks: `npm run kill-matrix` runs every fault, writes reports/proof/kill-matrix.json, and fails where
 * something is unexplained. `--check` writes nothing, and runs each fault where its line says that it shows; `--clients`
 * runs the broken clients alone and writes their lines; `--fault ID…` runs these alone and lists the checks that each fails.
 */
import { parseArgs } from 'node:util'
import { faultIds } from './machine.ts'
import { runClients, runMatrix } from './run.ts'
import { showFaults } from './show.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    check: { type: 'boolean', default: false },
    clients: { type: 'boolean', default: false },
    fault: { type: 'string', multiple: true, default: [] },
  },
})
const asked = [...values.fault, ...positionals]
const unknown = asked.filter((id) => !(faultIds as readonly string[]).includes(id))
if (unknown.length > 0) {
  console.error(`there is no fault ${unknown.join(', ')}; see simulator/faults/`)
  process.exit(2)
}
const wanted = faultIds.filter((id) => asked.includes(id))
const everything = (): Promise<number> => (values.clients ? runClients() : runMatrix(values.check))
const unexplained = wanted.length > 0 ? await showFaults(wanted) : await everything()
process.exitCode = unexplained === 0 ? 0 : 1
