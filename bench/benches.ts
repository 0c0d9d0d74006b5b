/** Everything that can be measured, by the name that `npm run bench -- NAME` takes. A bench gives one or more rows. */
import { deadEndpoints } from './dead-endpoints.ts'
import { signedDeliveries } from './deliveries.ts'
import type { Row } from './figures.ts'
import type { Effort } from './measure.ts'
import { profile } from './profile.ts'
import { startup } from './startup.ts'
import { turns } from './turns.ts'

export type Bench = (effort: Effort) => Promise<readonly Row[]>

export const benches = {
  startup,
  turns,
  profile,
  signedDeliveries,
  deadEndpoints,
} as const satisfies Record<string, Bench>

export type BenchName = keyof typeof benches
