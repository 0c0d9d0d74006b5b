/** `npm run bench`: both sides in one run, medians and their ratio. Absolute times are this machine's own. */
import { lineOf } from './measure.ts'
import { profile } from './profile.ts'
import { startup } from './startup.ts'

const benches = { startup, profile }

for (const bench of Object.values(benches)) console.log(lineOf(await bench(5)))
