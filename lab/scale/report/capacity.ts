/** The calculated sections of the report: resources for sandboxes of several sizes. */
import { formatNumber } from '../../../bench/format.ts'
import type { Figures } from '../figures.ts'
import { needOf, type Need, type Sandbox } from '../model.ts'
import { capacityOf } from '../capacity.ts'
import {
  machines,
  margins,
  interactive,
  pipelines,
  prices,
  sandboxes,
  type SandboxName,
} from '../sandboxes.ts'
import type { ScaleResults } from '../results.ts'
import { tableOf } from './table.ts'

const names = Object.keys(sandboxes) as SandboxName[]
const percent = (share: number): string => `${formatNumber(share * 100)} %`

const assumed: readonly (readonly [what: string, of: (sandbox: Sandbox) => string])[] = [
  ['developers, a tenant each', ({ developers }) => developers.toLocaleString('en-GB')],
  ['of them active in the busiest hour', ({ active }) => percent(active)],
  ['turns of each in that hour', ({ turns }) => formatNumber(turns)],
  ['visits of each, and their duration', ({ visits, visitMinutes }) => `${visits} of ${visitMinutes} min`],
  [
    'streamed turns, and their duration',
    ({ streamed, streamSeconds }) => `${percent(streamed)}, ${streamSeconds} s`,
  ],
  ['turns with a delivery', ({ delivered }) => percent(delivered)],
  ['turns in a conversation', ({ turnsPerConversation }) => formatNumber(turnsPerConversation)],
  ['runs of operations for each turn', ({ runs }) => formatNumber(runs)],
  ['open connections of each', ({ connections }) => formatNumber(connections)],
  ['such hours a day, such days a week', ({ hours, days }) => `${hours}, ${days}`],
]

const needed: readonly (readonly [what: string, of: (need: Need) => string])[] = [
  ['turns a second', (need) => formatNumber(need.turnsPerSecond)],
  ['deliveries a second', (need) => formatNumber(need.deliveriesPerSecond)],
  ['open streams', (need) => formatNumber(need.openStreams)],
  ['open connections', (need) => formatNumber(need.connections)],
  ['tenants in memory', (need) => formatNumber(need.localTenants)],
  ['tenants loaded per second', (need) => formatNumber(need.loadsPerSecond)],
  ['busy cores: replicas', (need) => formatNumber(need.replicaCores)],
  ['busy cores: PostgreSQL', (need) => formatNumber(need.serverCores)],
  ['**replicas of a core each**', (need) => formatNumber(need.replicas)],
  ['**cores for PostgreSQL**', (need) => formatNumber(need.serverCoresHad)],
  ['**memory of all replicas**', (need) => `${formatNumber(need.memoryGib)} GiB`],
  ['**disk**', (need) => `${formatNumber(need.databaseGib)} GiB`],
  ['WAL a day', (need) => `${formatNumber(need.walGibPerDay)} GiB`],
  ['**cost a month**', (need) => `$${formatNumber(need.costPerMonth)}`],
]

export function capacityTable(costs: Figures): string {
  const rows = Object.entries(machines).map(([name, some]) => [
    name,
    ...[interactive, pipelines].flatMap((use) => {
      const { developers, turnsPerSecond, bottleneck: part } = capacityOf(costs, use, margins, some)
      return [`${formatNumber(developers)} (${formatNumber(turnsPerSecond)} turns/s)`, part]
    }),
  ])
  return tableOf(['', 'developers', 'until', 'with tests in every pipeline', 'until'], rows)
}

export function sandboxSection({
  figures: costs,
  commits,
}: Pick<ScaleResults, 'figures' | 'commits'>): string {
  const alone = commits.find(({ clients }) => clients === 1)
  const each = names.map((name) => needOf(costs, sandboxes[name], margins, prices))
  const { coreHour, gibHour, diskGibMonth } = prices
  return `## Resources of a sandbox

Calculated by \`lab/scale/model.ts\` from the figures above, for the busiest hour:

${tableOf(
  ['', ...names],
  needed.map(([what, of]) => [what, ...each.map(of)]),
)}
Assumptions about each:

${tableOf(
  ['', ...names],
  assumed.map(([what, of]) => [what, ...names.map((name) => of(sandboxes[name]))]),
)}
About all: a tenant stays in memory for 10 minutes after its last request. No core is more than ${percent(margins.busy)} busy, at least ${margins.leastReplicas} replicas run, and the balancer is round robin. Disk is ${formatNumber(margins.disk)} times the size of rows and indexes. The memory of a tenant includes everything that it remembers and its journal, which is the largest part. PostgreSQL has a GiB of memory plus a quarter of the size of the database. The cost of a turn is that with ten concurrent clients${alone ? `: with a single client it costs ${formatNumber(alone.replica)} µs and ${formatNumber(alone.server)} µs of PostgreSQL, because commits are not grouped, but then the processor is mostly idle` : ''}.

Prices are an assumption: $${coreHour} for an hour of a core, $${gibHour} for an hour of a GiB of memory, $${diskGibMonth} for a month of a GiB of disk; traffic, a standby and backups of PostgreSQL, and administration are not included. Put your own figures and prices into \`lab/scale/sandboxes.ts\`, and rewrite both pages with \`npm run lab -- scale --write\`.
`
}
