/** The calculation of the resources of a sandbox, and that both pages match the results. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { zipfIndex } from './processes/zipf.ts'
import { figures, type FigureName, type Figures } from './figures.ts'
import { needOf, type Margins, type Sandbox } from './model.ts'
import { pageOf } from './report/page.ts'
import { capacityOf } from './capacity.ts'
import { reportOf } from './report/report.ts'
import { readScale } from './results.ts'
import { createRandom } from '../../simulator/tenant/random.ts'

const costs = (some: Partial<Record<FigureName, number>>): Figures => ({
  ...(Object.fromEntries(Object.keys(figures).map((name) => [name, 0])) as Record<FigureName, number>),
  ...some,
})

/** A thousand developers, each with one turn per second in the busiest hour. */
const sandbox: Sandbox = {
  developers: 1_000,
  active: 1,
  turns: 3_600,
  visits: 1,
  visitMinutes: 20,
  restMinutes: 10,
  streamed: 0,
  streamSeconds: 0,
  turnsPerConversation: 1,
  delivered: 0,
  runs: 0,
  connections: 0,
  hours: 1,
  days: 1,
}
const margins: Margins = { busy: 0.5, disk: 1, leastReplicas: 1 }
const prices = { coreHour: 0, gibHour: 0, diskGibMonth: 0 }
const GiB = 2 ** 30

test.for([
  ['turns', {}, {}, { turnsPerSecond: 1_000 }],
  ['deliveries', {}, { delivered: 0.25 }, { deliveriesPerSecond: 250 }],
  ['open streams', {}, { streamed: 0.5, streamSeconds: 4 }, { openStreams: 2_000 }],
  ['tenants in memory, during a visit and the idle time after it', {}, {}, { localTenants: 500 }],
  ['no tenant in memory twice', {}, { visits: 60 }, { localTenants: 1_000 }],
  ['cores of PostgreSQL', { 'turn, server': 2_000 }, {}, { serverCores: 2, serverCoresHad: 4 }],
  ['replicas at half utilization', { 'turn, PostgreSQL': 2_000 }, {}, { replicaCores: 2, replicas: 4 }],
  // With n replicas, n - 1 of n turns cost 1 ms more: 3 * 0.5 >= 0.8 + 1 - 1 / 3 cores.
  [
    'replicas for forwarding',
    { 'turn, PostgreSQL': 800, 'turn, forwarded': 1_000 },
    {},
    { replicas: 3, replicaCores: 0.8 + 2 / 3 },
  ],
  ['streams at their own price', { 'stream, PostgreSQL': 4_000 }, { streamed: 0.5 }, { replicaCores: 2 }],
  // 3,600 keys of a week, loaded once an hour.
  ['keys that are loaded with a tenant', { 'load, per key': 1_000 }, {}, { replicaCores: 1 }],
  ['memory of tenants', { 'tenant, memory': 2 ** 20 }, {}, { memoryGib: 500 }],
  ['memory of what they remember', { 'turn, memory': 2 ** 20 }, {}, { memoryGib: 500 * 3_600 }],
  ['keys of a week', { 'key, stored': GiB }, {}, { databaseGib: 3_600_000 }],
  ['conversations of a month', { 'conversation, stored': GiB }, {}, { databaseGib: (3_600_000 * 30) / 7 }],
  ['WAL of a day', { 'turn, WAL': GiB }, { hours: 2 }, { walGibPerDay: 7_200_000 }],
] as const)('a sandbox takes %s', ([, some, change, expected]) => {
  const need = needOf(costs(some), { ...sandbox, ...change }, margins, prices)
  for (const [name, value] of Object.entries(expected))
    expect([name, need[name as keyof typeof need]]).toEqual([name, expect.closeTo(value, 6)])
})

test('a sandbox costs what its cores, its memory and its disk do', () => {
  const some = costs({ 'tenant, memory': 2 ** 20, 'tenant, stored': GiB })
  const need = needOf(some, { ...sandbox, developers: 4 }, margins, {
    coreHour: 1,
    gibHour: 0.1,
    diskGibMonth: 10,
  })
  // A core for a replica and one for PostgreSQL; 2 GiB for tenants, 1 + 4 / 4 for PostgreSQL.
  expect(need).toMatchObject({ memoryGib: 2, databaseGib: 4, costPerMonth: 730 * (2 + 0.1 * 4) + 40 })
})

test.for([
  ['the processor of replicas', { 'turn, PostgreSQL': 1_000 }, 1_000, 'processor of replicas'],
  ['their memory', { 'tenant, memory': 2 ** 20 }, 8, 'memory of replicas'],
  ['PostgreSQL', { 'turn, server': 5_000, 'turn, PostgreSQL': 1 }, 100, 'processor of PostgreSQL'],
] as const)('machines serve as many as %s allows', ([, some, developers, bottleneck]) => {
  const machines = { replicas: 2, gib: 4, serverCores: 1 }
  expect(capacityOf(costs(some), sandbox, margins, machines)).toEqual({
    developers,
    turnsPerSecond: developers,
    bottleneck,
  })
})

test('zipfIndex returns the first index twice as often as the second', () => {
  const drawn = [0, 0, 0, 0]
  const draw = zipfIndex(4, 1, createRandom('zipf'))
  for (let left = 25_000; left > 0; left -= 1) drawn[draw()]! += 1
  expect(drawn.map((times) => Math.round(times / 1_000))).toEqual([12, 6, 4, 3])
})

test('the page and the report match the results', () => {
  expect(readFileSync('docs/scale.md', 'utf8')).toBe(pageOf(readScale()))
  expect(readFileSync('lab/scale/report.md', 'utf8')).toBe(reportOf(readScale()))
})
