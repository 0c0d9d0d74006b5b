/** The benchmarks by their names for `npm run bench -- NAME`. Each returns one or more rows. */
import { deadEndpoints } from './cases/dead-endpoints.ts'
import { signedDeliveries } from './cases/deliveries.ts'
import type { BenchRow } from './figures.ts'
import { keys } from './cases/keys.ts'
import { killMatrix } from './cases/kill-matrix.ts'
import type { Effort } from './measure.ts'
import { openStreams } from './cases/open-streams.ts'
import { profile } from './cases/profile.ts'
import { properties } from './cases/properties.ts'
import { htmlReport } from './cases/html-report.ts'
import { startup } from './cases/startup.ts'
import { streams } from './cases/streams.ts'
import { turns } from './cases/turns.ts'

export type Bench = (effort: Effort) => Promise<readonly BenchRow[]>

export const benches = {
  startup,
  turns,
  streams,
  openStreams,
  profile,
  signedDeliveries,
  deadEndpoints,
  properties,
  report: htmlReport,
  killMatrix,
  keys,
} as const satisfies Record<string, Bench>

export type BenchName = keyof typeof benches
