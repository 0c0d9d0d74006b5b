/** Everything that can be measured, by the name that `npm run bench -- NAME` takes. A bench gives one or more rows. */
import { deadEndpoints } from './dead-endpoints.ts'
import { signedDeliveries } from './deliveries.ts'
import type { Row } from './figures.ts'
import { keys } from './keys.ts'
import { killMatrix } from './kill-matrix.ts'
import type { Effort } from './measure.ts'
import { openStreams } from './open-streams.ts'
import { profile } from './profile.ts'
import { properties } from './properties.ts'
import { report } from './report.ts'
import { startup } from './startup.ts'
import { stores } from './stores.ts'
import { streams } from './streams.ts'
import { turns } from './turns.ts'

export type Bench = (effort: Effort) => Promise<readonly Row[]>

export const benches = {
  startup,
  turns,
  streams,
  openStreams,
  profile,
  signedDeliveries,
  deadEndpoints,
  properties,
  report,
  killMatrix,
  keys,
  stores,
} as const satisfies Record<string, Bench>

export type BenchName = keyof typeof benches
