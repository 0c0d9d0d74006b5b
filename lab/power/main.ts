/**
 * `npm run lab -- power`: measures how soon the hard faults are found and how often there is a false alarm, and writes
 * docs/measured/detection-power.md. It takes long; broken off, it goes on where it stood.
 */
import { writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { version } from '../../cli/version.ts'
import { realClock } from '../../suites/index.ts'
import { oneOf, optionsOf, whole } from '../../test/options.ts'
import { hardIds } from './hard-faults.ts'
import { jobsOf, nameOf, parts } from './jobs.ts'
import { keptOf, versionOfSources } from './kept.ts'
import { pageOf, percent } from './page.ts'
import { share } from './share.ts'
import { shortfalls, summaryOf } from './summary.ts'

const { values } = optionsOf({
  options: {
    only: { type: 'string' },
    seeds: { type: 'string', default: '20' },
    runs: { type: 'string', default: '200' },
    processes: { type: 'string', default: '2' },
    out: { type: 'string', default: 'docs/measured/detection-power.md' },
  },
})
const extent = { seeds: whole('seeds', values.seeds), cleanRuns: whole('runs', values.runs) }
const processes = whole('processes', values.processes)
const asked = values.only === undefined ? parts : [oneOf('--only', values.only, parts)]

const clock = realClock()
const sources = versionOfSources()
const kept = keptOf(sources)
const jobs = asked.flatMap((part) => jobsOf(part, extent))
const open = jobs.filter((job) => !kept.results.has(nameOf(job)))
console.error(`${jobs.length} jobs, ${jobs.length - open.length} of them done before; sources ${sources}`)

const [began, progressMs] = [clock.now(), 10_000]
let [done, next] = [0, progressMs]
await share(open, processes, (result) => {
  kept.add(result)
  done++
  const took = clock.now() - began
  if (took < next && done < open.length) return
  next = took + progressMs
  const left = Math.round(((took / done) * (open.length - done)) / 1000)
  console.error(`${done} of ${open.length} after ${Math.round(took / 1000)} s, about ${left} s left`)
})

// What was measured before of the other part stands on the page too, as long as it is of the same version.
const wanted = new Set(parts.flatMap((part) => jobsOf(part, extent)).map(nameOf))
const summary = summaryOf([...kept.results].flatMap(([name, result]) => (wanted.has(name) ? [result] : [])))
const on = clock.wall().slice(0, 10)
const making = { on, version: version(), sources, cores: availableParallelism(), node: process.versions.node }
writeFileSync(values.out, pageOf(summary, making))

const { shares, clean, variants } = summary
const short = shortfalls(summary)
for (const line of short) console.error(line)
if (short.length > 0) process.exitCode = 1
console.log(
  `${summary.faults.length} of ${hardIds.length} faults, found ${percent(shares.standard)} in standard, ` +
    `${percent(shares.exhaustive)} in exhaustive, ${clean.red.length + variants.red.length} false alarms in ` +
    `${clean.runs + variants.runs} runs`,
)
