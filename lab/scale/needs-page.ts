/** The part of the report that is worked out: what sandboxes of several sizes take. */
import { shown } from '../../bench/words.ts'
import type { Figures } from './figures.ts'
import { needOf, type Need, type Sandbox } from './model.ts'
import { reachOf } from './reach.ts'
import { machines, margins, office, pipelines, prices, sandboxes, type SandboxName } from './sandboxes.ts'
import type { ScaleResults } from './results.ts'
import { tableOf } from './table.ts'

const names = Object.keys(sandboxes) as SandboxName[]
const percent = (share: number): string => `${shown(share * 100)} %`

const assumed: readonly (readonly [what: string, of: (sandbox: Sandbox) => string])[] = [
  ['developers, a tenant each', ({ developers }) => developers.toLocaleString('en-GB')],
  ['of them at work in the busiest hour', ({ active }) => percent(active)],
  ['turns of each of those in it', ({ turns }) => shown(turns)],
  [
    'visits of each, and how long one lasts',
    ({ visits, visitMinutes }) => `${visits} of ${visitMinutes} min`,
  ],
  [
    'of turns: streamed, and for how long',
    ({ streamed, streamSeconds }) => `${percent(streamed)}, ${streamSeconds} s`,
  ],
  ['of turns: with a delivery', ({ delivered }) => percent(delivered)],
  ['turns in a conversation', ({ turnsPerConversation }) => shown(turnsPerConversation)],
  ['runs of operations for each turn', ({ runs }) => shown(runs)],
  ['connections that each keeps open', ({ connections }) => shown(connections)],
  ['such hours a day, such days a week', ({ hours, days }) => `${hours}, ${days}`],
]

const needed: readonly (readonly [what: string, of: (need: Need) => string])[] = [
  ['turns a second', (need) => shown(need.turnsPerSecond)],
  ['deliveries a second', (need) => shown(need.deliveriesPerSecond)],
  ['open streams', (need) => shown(need.openStreams)],
  ['open connections', (need) => shown(need.connections)],
  ['tenants in memory', (need) => shown(need.localTenants)],
  ['tenants taken up, a second', (need) => shown(need.loadsPerSecond)],
  ['cores at work: replicas', (need) => shown(need.replicaCores)],
  ['cores at work: PostgreSQL', (need) => shown(need.serverCores)],
  ['**replicas of a core each**', (need) => shown(need.replicas)],
  ['**cores for PostgreSQL**', (need) => shown(need.serverCoresHad)],
  ['**memory of all replicas**', (need) => `${shown(need.memoryGib)} GiB`],
  ['**disk**', (need) => `${shown(need.databaseGib)} GiB`],
  ['WAL a day', (need) => `${shown(need.walGibPerDay)} GiB`],
  ['**cost a month**', (need) => `$${shown(need.costPerMonth)}`],
]

export function reaches(costs: Figures): string {
  const rows = Object.entries(machines).map(([name, some]) => [
    name,
    ...[office, pipelines].flatMap((use) => {
      const { developers, turnsPerSecond, part } = reachOf(costs, use, margins, some)
      return [`${shown(developers)} (${shown(turnsPerSecond)} turns/s)`, part]
    }),
  ])
  return tableOf(['', 'developers', 'until', 'with tests in every pipeline', 'until'], rows)
}

export function needs({ figures: costs, commits }: Pick<ScaleResults, 'figures' | 'commits'>): string {
  const alone = commits.find(({ clients }) => clients === 1)
  const each = names.map((name) => needOf(costs, sandboxes[name], margins, prices))
  const { coreHour, gibHour, diskGibMonth } = prices
  return `## What a sandbox takes

Worked out by \`lab/scale/model.ts\` from the figures above, for the busiest hour:

${tableOf(
  ['', ...names],
  needed.map(([what, of]) => [what, ...each.map(of)]),
)}
This is what was assumed of each:

${tableOf(
  ['', ...names],
  assumed.map(([what, of]) => [what, ...names.map((name) => of(sandboxes[name]))]),
)}
And of all: a tenant stays in memory for 10 minutes after its last request. No core is more than ${percent(margins.busy)} busy, at least ${margins.leastReplicas} replicas run, and the balancer knows nothing of owners. Disk is ${shown(margins.disk)} times what rows and indexes take. A tenant in memory has everything there that it remembers, and its journal, which is most of what it takes. PostgreSQL has a GiB of memory, and a quarter of the database besides. A turn is taken at what it costs with ten clients at once${alone ? `: where there is hardly ever a second one it costs ${shown(alone.replica)} µs and ${shown(alone.server)} µs of PostgreSQL, for there is nothing to group, and then there is processor to spare` : ''}.

Prices are an assumption: $${coreHour} for an hour of a core, $${gibHour} for an hour of a GiB of memory, $${diskGibMonth} for a month of a GiB of disk; neither traffic, nor a standby or backups of PostgreSQL, nor the people who look after it. Put your own figures and prices into \`lab/scale/sandboxes.ts\`, and write both pages again with \`npm run lab -- scale --write\`.
`
}
