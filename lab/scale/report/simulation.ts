/** The section of the report about the simulation. */
import { formatNumber } from '../../../bench/format.ts'
import type { Sample, Simulation } from '../simulation.ts'
import { tableOf } from './table.ts'

const number = (value: number): string => value.toLocaleString('en-GB')
const mebibyte = 2 ** 20

export function simulationSection(simulation: Simulation): string {
  const {
    tenants,
    creation: made,
    replicas,
    rate,
    seconds,
    turns,
    webhooks,
    idleSeconds,
    latency,
  } = simulation
  const {
    loads: claims,
    deliveries,
    used: asked,
    statuses,
    bulk,
    replicaCores,
    serverCores,
    heapAfterGc: collected,
  } = simulation
  return `## Simulation of ten thousand tenants

${number(tenants)} tenants were created in ${formatNumber(made.seconds)} s (${formatNumber((1_000 * made.seconds) / tenants)} ms each) and took ${formatNumber(made.database)} MiB of the database. Then ${replicas} replicas started with none of them loaded, and for ${formatNumber(seconds)} s received ${rate} turns a second, round robin, with a Zipf distribution over tenants: ${number(asked)} different ones. ${number(webhooks)} tenants had a webhook. A tenant was unloaded after ${idleSeconds} s without a request rather than after ten minutes, so that tenants were loaded ${number(claims)} times.

${tableOf(
  ['', ''],
  [
    ['turns by status', statusWords(statuses)],
    ['latency from the due time', latencyWords(latency)],
    ['deliveries', number(deliveries)],
    ['tenants loaded per second', formatNumber(claims / seconds)],
    ['busy cores', `${formatNumber(replicaCores)} replicas, ${formatNumber(serverCores)} PostgreSQL`],
    ['turns in a commit', formatNumber(simulation.turnsPerCommit)],
    ['WAL of a turn, with all its effects', `${number(Math.round(simulation.walPerTurn))} bytes`],
    [
      'rows of documents, and their size',
      `${number(bulk.rows)}, ${formatNumber(bulk.documents / mebibyte)} MiB`,
    ],
    ['their index', `${formatNumber(bulk.index / mebibyte)} MiB`],
    ['updates that changed no index', `${formatNumber(bulk.hot * 100)} %`],
    ['dead rows at the end, and vacuums', `${number(bulk.dead)}, ${number(bulk.vacuums)}`],
  ],
)}
${sampleTable(simulation.samples)}
Heaps grow until V8 collects garbage, so the relevant sizes are those after a full collection: ${formatNumber(collected.before.heap)} MiB before the load, ${formatNumber(collected.after.heap)} MiB after it with ${number(collected.after.tenants)} tenants, and ${formatNumber(collected.unloaded.heap)} MiB after a time without requests, with ${number(collected.unloaded.tenants)}. Creating another tenant over the control plane took ${formatNumber(made.oneMore)} ms then.

Tables do not bloat: most updates of a row stay on its page and change no index, and autovacuum with its default settings removes the rest. A fill factor of 80 writes a twentieth less WAL per turn and needs a seventh more space, which does not justify a setting.

The rate leaves room for load generator, replicas and PostgreSQL on these cores; it is not the maximum of a sandbox of this size: ${formatNumber(replicaCores + serverCores)} cores were busy with ${number(turns)} turns and with loading and unloading ${number(claims)} tenants.
`
}

const statusWords = (statuses: Simulation['statuses']): string =>
  Object.entries(statuses)
    .map(([status, times]) => `${status}: ${number(times)}`)
    .join(', ')

const latencyWords = ({ p50, p95, p99, most }: Simulation['latency']): string =>
  `half within ${formatNumber(p50)} ms, 95 % within ${formatNumber(p95)} ms, 99 % within ${formatNumber(p99)} ms, all within ${formatNumber(most)} ms`

const sampleTable = (samples: readonly Sample[]): string =>
  tableOf(
    ['after', 'tenants in memory', 'heap', 'rss', 'database', 'dead rows'],
    samples.map(({ second, tenants, heap, rss, database, dead }) => [
      `${Math.round(second)} s`,
      number(tenants),
      `${formatNumber(heap)} MiB`,
      `${formatNumber(rss)} MiB`,
      `${formatNumber(database)} MiB`,
      number(dead),
    ]),
  )
