/** lab/scale/report.md: nothing in it that is not in lab/scale/scale.json, or worked out from it. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../bench/cache.ts'
import { shown } from '../../bench/words.ts'
import type { Throughput } from './commits.ts'
import { figures, type FigureName, type Figures } from './figures.ts'
import { needOf, turnsOfOne } from './model.ts'
import { breaking } from './breaking.ts'
import { needs, reaches } from './needs-page.ts'
import type { ScaleResults } from './results.ts'
import { margins, prices, sandboxes } from './sandboxes.ts'
import { execution } from './simulation-page.ts'
import { tableOf } from './table.ts'

export function writeReport(results: ScaleResults): void {
  writeFileSync(join(root, 'lab/scale/report.md'), reportOf(results))
}

export function reportOf(results: ScaleResults): string {
  const { machine, date, extent } = results
  const { cores, processor, memory, system, node } = machine
  return `# How far it scales: the full report

How many developers one simulator serves, on one process, one host and several, and what a sandbox for ten thousand of them takes. Everything here comes from \`npm run lab -- scale\`: it measures what one of each thing costs, works the rest out, and runs the whole for a while. Measured on ${date} on ${cores} cores of ${processor}, ${memory} GB, ${system}, Node ${node.replace(/^v/, '')}, with sender, replicas and PostgreSQL on the same cores${extent === 'quick' ? '; a quick run, whose figures are rough' : ''}. PostgreSQL writes each commit to the disk.

${inShort(results)}
Developers who work as [assumed below](#what-a-sandbox-takes), of whom one in ten is at work in the busiest hour:

${reaches(results.figures)}
## What one of everything takes

Processor time of the process that does it, which is what stays the same when there are more cores, more processes or more hosts. How many turns a second come out of it is a matter of cores.

${unitTable(results.figures)}
A turn is a POST with a key of its own that begins a conversation. Memory is that of V8's heap for tenants and turns, and the resident memory of the process for connections and streams. What is stored is kept as long as [retention.md](../../docs/retention.md) says.

## One process

One tenant is run by one process, so that its rules, faults and clocks need no locks; one process uses one core. Over PostgreSQL, whatever came while one transaction was under way goes with the next one: the more clients, the less each of them costs.

${throughputTable(results.commits, 'clients', 'tenants')}
Two transactions make a turn of a lone client: one that claims its key, one that has the outcome. With many clients both are shared.

The first request of a tenant that nobody runs waits until its keys, conversations and deliveries are back in memory:

${tableOf(
  ['keys of the tenant', 'first answer after'],
  results.takings.map(({ keys, ms }) => [keys.toLocaleString('en-GB'), `${shown(ms)} ms`]),
)}
## Several processes, several hosts

Replicas share a PostgreSQL and nothing else. A request that comes to another replica than its tenant's is passed on, which costs both of them; a balancer that deals requests out in turn sends all but one in so many to the wrong one. ${results.spread[0]?.clients ?? ''} clients, ${results.spread[0]?.tenants ?? ''} tenants:

${throughputTable(results.spread, 'replicas', 'balanced')}
All of them, the sender and PostgreSQL had ${cores} cores between them here, so the turns a second say what passing on costs and not what more hosts bring. What more hosts bring is the processor time of a turn, which tends to ${shown(results.figures['turn, PostgreSQL'] + results.figures['turn, passed on'])} µs with many replicas, on as many cores as there are. A balancer that chooses by \`Authorization\` (nginx: \`hash $http_authorization consistent\`) keeps nearly all of a tenant at one replica, which then claims it, and brings it back to ${shown(results.figures['turn, PostgreSQL'])} µs; nothing depends on it, so that requests with a cookie, or after a replica came or went, are passed on as before.

${needs(results)}
${execution(results.simulation)}
${breaking(results)}
## How it is measured

- **Processor time** is that of \`process.cpuUsage()\` in replicas, and of all processes of PostgreSQL in \`/proc\`; what the sender takes is in neither. Passing on, streaming and delivering are differences between a turn with and one without.
- **A commit** is one that a replica counts; WAL is where the log of PostgreSQL stands.
- **The load** comes over sockets with one request each under way. At a rate, the time of a turn counts from the moment at which it was due.

\`\`\`
npm run lab -- scale                 # everything; writes lab/scale/scale.json, this report and docs/scale.md
npm run lab -- scale --quick        # the same with less of each
npm run lab -- scale simulation     # this part alone: turns, residence, rows, commits, spread, simulation
npm run lab -- scale --write        # measures nothing, writes both pages from the file
\`\`\`
`
}

function inShort({ figures: costs, simulation }: ScaleResults): string {
  const turns = (name: Parameters<typeof turnsOfOne>[1]): string => shown(turnsOfOne(costs, name, margins))
  const busy = `${margins.busy * 100} %`
  const server = shown((margins.busy * 1e6) / costs['turn, server'])
  return `- **One process**, its core ${busy} busy, carries ${turns('turn, nothing kept')} turns a second where nothing is kept, ${turns('turn, file')} over a file, ${turns('turn, PostgreSQL')} over PostgreSQL. A tenant takes ${shown(costs['tenant, resident'])} KiB of memory and ${shown(costs['turn, resident'])} KiB for each turn that it remembers.
- **One host** carries a replica for each core that PostgreSQL leaves. PostgreSQL takes ${shown(costs['turn, server'])} µs of a turn, a replica ${shown(costs['turn, PostgreSQL'])}.
- **Several hosts** share the tenants. One core of PostgreSQL, ${busy} busy, is enough for ${server} turns a second; it is the one part of which there is one only.
- **${simulation.tenants.toLocaleString('en-GB')} tenants** were played here for ${shown(simulation.seconds / 60)} minutes, on these cores, at ${simulation.rate} turns a second: ten thousand developers of the kind below send ${shown(needOf(costs, sandboxes['ten thousand developers'], margins, prices).turnsPerSecond)}.
`
}

function unitTable(costs: Figures): string {
  const names = Object.keys(figures) as FigureName[]
  return tableOf(
    ['what', 'takes'],
    names.map((name) => [figures[name][1], `${shown(costs[name])} ${figures[name][0]}`]),
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
      shown(row.turnsPerSecond),
      shown(row.turnsPerCommit),
      `${shown(row.p50)} ms`,
      `${shown(row.p99)} ms`,
      `${shown(row.replica)} µs`,
      `${shown(row.server)} µs`,
    ]),
  )
}
