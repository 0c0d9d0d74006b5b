/** Writes lab/scale/report.md from lab/scale/scale.json. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../../bench/cache.ts'
import { formatNumber } from '../../../bench/format.ts'
import type { Throughput } from '../commits.ts'
import { figures, type FigureName, type Figures } from '../figures.ts'
import { needOf, turnsOfOne } from '../model.ts'
import { bottlenecks } from './bottlenecks.ts'
import { sandboxSection, capacityTable } from './capacity.ts'
import type { ScaleResults } from '../results.ts'
import { margins, prices, sandboxes } from '../sandboxes.ts'
import { simulationSection } from './simulation.ts'
import { tableOf } from './table.ts'

export function writeReport(results: ScaleResults): void {
  writeFileSync(join(root, 'lab/scale/report.md'), reportOf(results))
}

export function reportOf(results: ScaleResults): string {
  const { machine, date, extent } = results
  const { cores, processor, memory, system, node } = machine
  return `# How far it scales: the full report

How many developers a simulator serves with one process, one host and several hosts, and the resources of a sandbox for ten thousand of them. All figures come from \`npm run lab -- scale\`: it measures unit costs, calculates the rest, and simulates a sandbox. Measured on ${date} on ${cores} cores of ${processor}, ${memory} GB, ${system}, Node ${node.replace(/^v/, '')}, with load generator, replicas and PostgreSQL on the same cores${extent === 'quick' ? '; a quick run, whose figures are rough' : ''}. PostgreSQL flushes each commit to disk.

${inShort(results)}
Developers with the [load assumed below](#resources-of-a-sandbox), of whom one in ten is active in the busiest hour:

${capacityTable(results.figures)}
## Unit costs

Processor time of the process named, which does not depend on the number of cores, processes or hosts.

${unitTable(results.figures)}
A turn is a POST with a new key that starts a conversation. Memory is V8 heap for tenants and turns, and resident set size (RSS) for connections and streams. [retention.md](../../docs/retention.md) lists how long data is stored.

## One process

One process serves a tenant, so its rules, faults and clocks need no locks; one process uses one core. Over PostgreSQL, changes made during a transaction are committed together in the next one: the more clients, the cheaper each turn.

${throughputTable(results.commits, 'clients', 'tenants')}
A turn of a single client needs two transactions: one claims its key, one stores the outcome. With many clients both are shared.

The first request of a tenant that is not loaded waits until its keys, conversations and deliveries are in memory:

${tableOf(
  ['keys of the tenant', 'first response after'],
  results.loadTimes.map(({ keys, ms }) => [keys.toLocaleString('en-GB'), `${formatNumber(ms)} ms`]),
)}
## Several processes, several hosts

Replicas share only PostgreSQL. A replica forwards a request to the owner of its tenant, which costs both of them; with n replicas, a round-robin balancer sends n - 1 of n requests to another replica than the owner. ${results.spread[0]?.clients ?? ''} clients, ${results.spread[0]?.tenants ?? ''} tenants:

${throughputTable(results.spread, 'replicas', 'balanced')}
All replicas, the load generator and PostgreSQL shared ${cores} cores here, so the turns per second show the cost of forwarding, not the gain of more hosts. With many replicas the processor time of a turn approaches ${formatNumber(results.figures['turn, PostgreSQL'] + results.figures['turn, forwarded'])} µs. A balancer that hashes \`Authorization\` (nginx: \`hash $http_authorization consistent\`) sends nearly all requests of a tenant to one replica, which then claims it, and reduces that to ${formatNumber(results.figures['turn, PostgreSQL'])} µs. This is an optimization only: other requests, such as those with a cookie, are forwarded.

${sandboxSection(results)}
${simulationSection(results.simulation)}
${bottlenecks(results)}
## How it is measured

- **Processor time** is from \`process.cpuUsage()\` in replicas and from \`/proc\` for all processes of PostgreSQL, without the load generator. Forwarding, streaming and delivering are differences between turns with and without them.
- **Commits** are counted by replicas; WAL is the position in the log of PostgreSQL.
- **The load** uses connections with one request in flight each. At a fixed rate, latency counts from the time at which a turn was due.

\`\`\`
npm run lab -- scale                 # everything; writes lab/scale/scale.json, this report and docs/scale.md
npm run lab -- scale --quick        # the same, less exact
npm run lab -- scale simulation     # only this part: turns, tenants, rows, commits, spread, simulation
npm run lab -- scale --write        # measures nothing, rewrites both pages
\`\`\`
`
}

function inShort({ figures: costs, simulation }: ScaleResults): string {
  const turns = (name: Parameters<typeof turnsOfOne>[1]): string =>
    formatNumber(turnsOfOne(costs, name, margins))
  const busy = `${margins.busy * 100} %`
  const server = formatNumber((margins.busy * 1e6) / costs['turn, server'])
  return `- **One process**, its core ${busy} busy, handles ${turns('turn, no store')} turns a second in memory, ${turns('turn, file')} over a file, ${turns('turn, PostgreSQL')} over PostgreSQL. A tenant takes ${formatNumber(costs['tenant, memory'])} KiB of memory and ${formatNumber(costs['turn, memory'])} KiB for each turn that it remembers.
- **One host** runs a replica on each core that PostgreSQL does not need. PostgreSQL takes ${formatNumber(costs['turn, server'])} µs of a turn, a replica ${formatNumber(costs['turn, PostgreSQL'])}.
- **Several hosts** share the tenants. One core of PostgreSQL, ${busy} busy, handles ${server} turns a second; it is the only part that is not replicated.
- **${simulation.tenants.toLocaleString('en-GB')} tenants** were simulated for ${formatNumber(simulation.seconds / 60)} minutes, on these cores, at ${simulation.rate} turns a second; ten thousand developers with the load below send ${formatNumber(needOf(costs, sandboxes['ten thousand developers'], margins, prices).turnsPerSecond)}.
`
}

function unitTable(costs: Figures): string {
  const names = Object.keys(figures) as FigureName[]
  return tableOf(
    ['what', 'takes'],
    names.map((name) => [figures[name][1], `${formatNumber(costs[name])} ${figures[name][0]}`]),
  )
}

function throughputTable(
  rows: readonly Throughput[],
  ...varied: readonly ('clients' | 'tenants' | 'replicas' | 'balanced')[]
): string {
  const head = ['turns/s', 'turns in a commit', 'p50', 'p99', 'replicas, a turn', 'PostgreSQL, a turn']
  return tableOf(
    [...varied, ...head],
    rows.map((row) => [
      ...varied.map((name) => row[name].toLocaleString('en-GB')),
      formatNumber(row.turnsPerSecond),
      formatNumber(row.turnsPerCommit),
      `${formatNumber(row.p50)} ms`,
      `${formatNumber(row.p99)} ms`,
      `${formatNumber(row.replica)} µs`,
      `${formatNumber(row.server)} µs`,
    ]),
  )
}
