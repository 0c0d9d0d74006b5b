/** What is written of every counterexample: the scenario, the script, the exchanges; by path below one folder. */
import { counterexampleFolder } from '../../reports/bundle/curl.ts'
import type { Run } from '../../reports/bundle/record.ts'
import { writeJournal } from '../../reports/bundle/journal/codec.ts'
import type { counterexampleFiles } from '../../reports/bundle/names.ts'
import { counterexamplesOf, type FoundCounterexample, type Origin } from './counterexample.ts'
import { scriptOf } from './script.ts'

/** A target that breaks more than this is seen to be broken without more of them. */
const most = 200

/** Contents by path below the folder of the run. `run` must be without secrets. */
export function counterexampleFilesOf(run: Run, origin: Origin): ReadonlyMap<string, string> {
  return new Map(counterexamplesOf(run, origin).slice(0, most).flatMap(filesOfOne))
}

function filesOfOne({
  counterexample,
  exchanges,
}: FoundCounterexample): readonly (readonly [string, string])[] {
  const contents = {
    'scenario.json': `${JSON.stringify(counterexample, null, 2)}\n`,
    'repro.sh': scriptOf(counterexample),
    'exchanges.ndjson': writeJournal(exchanges),
  } satisfies Record<(typeof counterexampleFiles)[number], string>
  const folder = counterexampleFolder(counterexample.check)
  return Object.entries(contents).map(([name, content]) => [`${folder}/${name}`, content])
}
