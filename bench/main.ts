/** `npm run bench`: both sides in one run, medians and their ratio. Absolute times are this machine's own. */
import { deadEndpoints, deadListener } from './dead-endpoints.ts'
import { signedDeliveries } from './deliveries.ts'
import { lineOf } from './measure.ts'
import { profile } from './profile.ts'
import { startup } from './startup.ts'

const benches = { startup, profile, signedDeliveries, deadEndpoints, deadListener }

/** `npm run bench -- startup` runs that one. */
const asked = process.argv.slice(2)
for (const [name, bench] of Object.entries(benches))
  if (asked.length === 0 || asked.includes(name)) console.log(lineOf(await bench(5)))
