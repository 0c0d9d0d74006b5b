/** The part of the report that was run. */
import { shown } from '../../bench/words.ts'
import type { Sample, Simulation } from './simulation.ts'
import { tableOf } from './table.ts'

const number = (value: number): string => value.toLocaleString('en-GB')
const mebibyte = 2 ** 20

export function execution(simulation: Simulation): string {
  const { tenants, made, replicas, rate, seconds, turns, webhooks, idleSeconds, latency } = simulation
  const { claims, deliveries, asked, statuses, bulk, replicaCores, serverCores, collected } = simulation
  return `## Ten thousand tenants, played

${number(tenants)} tenants were made in ${shown(made.seconds)} s (${shown((1_000 * made.seconds) / tenants)} ms each) and took ${shown(made.database)} MiB of the database. Then ${replicas} replicas began with none of them in memory, and for ${shown(seconds)} s got ${rate} turns a second, dealt out without regard to owners, of tenants drawn by Zipf's law: ${number(asked)} different ones. ${number(webhooks)} tenants had a webhook. A tenant that nobody asked for ${idleSeconds} s was put down, rather than after ten minutes, so that this happened ${number(claims)} times.

${tableOf(
  ['', ''],
  [
    ['turns, by the status of the answer', statusWords(statuses)],
    ['from due to answered', latencyWords(latency)],
    ['deliveries', number(deliveries)],
    ['tenants taken up a second', shown(claims / seconds)],
    ['cores at work', `${shown(replicaCores)} replicas, ${shown(serverCores)} PostgreSQL`],
    ['turns in a commit', shown(simulation.turnsPerCommit)],
    ['WAL of a turn, with everything that came of it', `${number(Math.round(simulation.walPerTurn))} bytes`],
    [
      'rows of documents, and what they take',
      `${number(bulk.rows)}, ${shown(bulk.documents / mebibyte)} MiB`,
    ],
    ['index of them', `${shown(bulk.index / mebibyte)} MiB`],
    ['changes of rows that left every index alone', `${shown(bulk.hot * 100)} %`],
    ['dead rows at the end, and vacuums by then', `${number(bulk.dead)}, ${number(bulk.vacuums)}`],
  ],
)}
${sampleTable(simulation.samples)}
Heaps grow until V8 collects them, so what counts is what stays: after a full collection ${shown(collected.before.heap)} MiB before the load, ${shown(collected.after.heap)} MiB after it with ${number(collected.after.tenants)} tenants, and ${shown(collected.rested.heap)} MiB once nobody had asked for a while, with ${number(collected.rested.tenants)}. One more tenant over the control plane took ${shown(made.oneMore)} ms with all of these there.

Tables do not bloat: most changes of a row stay on its page and out of every index, and autovacuum, as PostgreSQL has it by default, takes the rest away. A fill factor of 80 was tried: a turn writes a twentieth less WAL for a seventh more room, which is too little to be worth a setting.

The rate is one at which sender, replicas and PostgreSQL have room on these cores, not the most that a sandbox of this size carries: ${shown(replicaCores + serverCores)} cores were at work for ${number(turns)} turns and for ${number(claims)} tenants that were taken up and put down.
`
}

const statusWords = (statuses: Simulation['statuses']): string =>
  Object.entries(statuses)
    .map(([status, times]) => `${status}: ${number(times)}`)
    .join(', ')

const latencyWords = ({ p50, p95, p99, most }: Simulation['latency']): string =>
  `half within ${shown(p50)} ms, 95 % within ${shown(p95)} ms, 99 % within ${shown(p99)} ms, all within ${shown(most)} ms`

const sampleTable = (samples: readonly Sample[]): string =>
  tableOf(
    ['after', 'tenants in memory', 'heap', 'resident', 'database', 'dead rows'],
    samples.map(({ second, tenants, heap, resident, database, dead }) => [
      `${Math.round(second)} s`,
      number(tenants),
      `${shown(heap)} MiB`,
      `${shown(resident)} MiB`,
      `${shown(database)} MiB`,
      number(dead),
    ]),
  )
