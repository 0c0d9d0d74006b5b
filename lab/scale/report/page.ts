/** Writes docs/scale.md: what a user needs to choose machines and limits. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../../bench/cache.ts'
import { formatNumber } from '../../../bench/format.ts'
import { simulatorLimits } from '../../../simulator/limits.ts'
import type { FigureName } from '../figures.ts'
import { needOf, turnsOfOne } from '../model.ts'
import type { ScaleResults } from '../results.ts'
import { margins, prices, sandboxes, type SandboxName } from '../sandboxes.ts'
import { tableOf } from './table.ts'

export function writePage(results: ScaleResults): void {
  writeFileSync(join(root, 'docs/scale.md'), pageOf(results))
}

export function pageOf(results: ScaleResults): string {
  const { machine, date, extent, figures: costs } = results
  const { cores, processor, memory, system, node } = machine
  return `# How far it scales

Measured by \`npm run lab -- scale\` on ${date}, on ${cores} cores of ${processor}, ${memory} GB, ${system}, Node ${node.replace(/^v/, '')}, which the load generator, the replicas and PostgreSQL shared${extent === 'quick' ? '; a quick run, whose figures are rough' : ''}. The full report (\`lab/scale/report.md\`) has every figure and every assumption.

${ratesTable(results)}
A tenant takes ${formatNumber(costs['tenant, memory'])} KiB of memory, and ${formatNumber(costs['turn, memory'])} KiB for each turn that it remembers. For developers with a tenant each, who send ${sandboxes['a company'].turns} turns an hour while they work, or ${sandboxes['the same, with tests in every pipeline'].turns.toLocaleString('en-GB')} with their pipelines:

${sandboxTable(results)}
## What to change as it grows

The first limits that are reached, in this order:

${remedies(results)}`
}

const stores: Readonly<Record<string, Parameters<typeof turnsOfOne>[1] & FigureName>> = {
  'in memory': 'turn, no store',
  'in a file': 'turn, file',
  'in PostgreSQL': 'turn, PostgreSQL',
}

const ratesTable = ({ figures: costs }: ScaleResults): string =>
  tableOf(
    ['state is stored', `turns a second of one process, its core ${formatNumber(margins.busy * 100)} % busy`],
    Object.entries(stores).map(([store, name]) => [store, formatNumber(turnsOfOne(costs, name, margins))]),
  )

const shownSandboxes: Readonly<Record<string, SandboxName>> = {
  'a fifth of them active in the busiest hour': 'a company',
  'a tenth': 'ten thousand developers',
  'a tenth, and their pipelines run against it': 'the same, with tests in every pipeline',
}

function sandboxTable({ figures: costs }: ScaleResults): string {
  const rows = Object.entries(shownSandboxes).map(([work, name]) => {
    const need = needOf(costs, sandboxes[name], margins, prices)
    return [
      `${sandboxes[name].developers.toLocaleString('en-GB')}, ${work}`,
      formatNumber(need.turnsPerSecond),
      `${need.replicas} and ${need.serverCoresHad}`,
      `${formatNumber(need.memoryGib)} GiB`,
      `${formatNumber(need.databaseGib)} GiB`,
    ]
  })
  return tableOf(['developers', 'turns a second', 'cores: replicas and PostgreSQL', 'memory', 'disk'], rows)
}

function remedies({ figures: costs, spread }: ScaleResults): string {
  const [one] = spread
  const three = spread.findLast(({ balanced }) => balanced === 'in turn')
  const passing =
    one && three ? `: ${formatNumber(three.replica)} µs a turn rather than ${formatNumber(one.replica)}` : ''
  return tableOf(
    ['limit', 'remedy'],
    [
      [`${simulatorLimits.tenants.toLocaleString('en-GB')} tenants`, '`--limit tenants=20000`'],
      ['memory of replicas', '`--limit journalEntries=500`, a shorter [retention](retention.md)'],
      [
        `requests that reach another replica than their tenant's${passing}`,
        'a balancer that chooses by `Authorization` ([shared.md](shared.md))',
      ],
      ['one busy tenant, which one process serves', 'more tenants'],
      [
        `PostgreSQL, which takes ${formatNumber(costs['turn, server'])} µs and ${formatNumber(costs['turn, WAL'])} bytes of WAL for each turn`,
        'a second installation, for other developers',
      ],
    ],
  )
}
