/**
 * `npm run lab -- seeds`: runs every scenario that draws its command sequences against the simulator, once for each seed.
 * A conforming server may never be failed, nor left without a verdict, because of what was drawn.
 */
import { optionsOf, whole } from '../../test/options.ts'
import { drawingScenarios, runSeed } from './run-seed.ts'

const { values } = optionsOf({
  options: {
    seeds: { type: 'string', default: '500' },
    from: { type: 'string', default: '1' },
    'at-once': { type: 'string', default: '2' },
  },
})
const from = whole('from', values.from)
const seeds = Array.from({ length: whole('seeds', values.seeds) }, (_, at) => from + at)

/** A line of progress after so many seeds. */
const progress = 25

const began = performance.now()
const scenarios = await drawingScenarios()
const waiting = seeds.values()
let bad = 0
let done = 0
const work = async (): Promise<void> => {
  for (const seed of waiting) {
    const troubles = await runSeed(seed, scenarios)
    if (troubles.length > 0) bad++
    for (const line of troubles) console.log(`seed ${seed}: ${line}`)
    if (++done % progress === 0) console.error(`${done} of ${seeds.length} seeds`)
  }
}
await Promise.all(Array.from({ length: whole('at-once', values['at-once']) }, work))
const seconds = ((performance.now() - began) / 1000).toFixed(0)
const { length } = Object.keys(scenarios)
console.log(
  `${length} scenarios, ${seeds.length} seeds, ${bad} with a false alarm or no verdict, ${seconds} s`,
)
process.exitCode = bad === 0 ? 0 : 1
