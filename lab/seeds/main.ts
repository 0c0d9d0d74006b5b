/**
 * `npm run lab -- seeds`: runs every scenario that draws its command sequences against the simulator, once for each seed,
 * and then the whole suite, with no variant and with each in turn. A conforming server may never be failed because
 * of what was drawn, nor left without a verdict where no variant is the reason.
 */
import { optionsOf, whole } from '../../test/options.ts'
import { drawingScenarios, runSeed, runWhole } from './run-seed.ts'

const { values } = optionsOf({
  options: {
    seeds: { type: 'string', default: '500' },
    runs: { type: 'string', default: '200' },
    from: { type: 'string', default: '1' },
    'at-once': { type: 'string', default: '2' },
  },
})
const [seeds, runs] = [whole('seeds', values.seeds), whole('runs', values.runs)]
const [from, atOnce] = [whole('from', values.from), whole('at-once', values['at-once'])]

/** A line of progress after so many seeds. */
const progress = 25

const began = performance.now()

/** Runs `count` seeds, prints the problems of each, and returns how many have some. */
async function runAll(
  what: string,
  count: number,
  run: (seed: number) => Promise<readonly string[]>,
): Promise<number> {
  const waiting = Array.from({ length: count }, (_, at) => from + at).values()
  let [bad, done] = [0, 0]
  const work = async (): Promise<void> => {
    for (const seed of waiting) {
      const problems = await run(seed)
      if (problems.length > 0) bad++
      for (const line of problems) console.log(`${what}, seed ${seed}: ${line}`)
      if (++done % progress === 0) console.error(`${what}: ${done} of ${count} seeds`)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  const seconds = ((performance.now() - began) / 1000).toFixed(0)
  console.log(`${what}: ${count} seeds, ${bad} with a false alarm or no verdict, after ${seconds} s`)
  return bad
}

const scenarios = await drawingScenarios()
const drawn = `${Object.keys(scenarios).length} random scenarios`
const bad =
  (await runAll(drawn, seeds, (seed) => runSeed(seed, scenarios))) +
  (await runAll('the whole suite', runs, runWhole))
process.exitCode = bad === 0 ? 0 : 1
