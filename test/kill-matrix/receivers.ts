/** What the broken copies of a receiver turn red. */
import { runReceiver } from '../../suites/receivers/run.ts'
import { broken } from './broken-receivers.ts'
import { against, endReceivers, startPatched } from './receiver-process.ts'

export interface ReceiverTold {
  readonly name: string
  /** Check ids. */
  readonly red: readonly string[]
  /** What was to be said of it and was not, or was and should not. */
  readonly problems: readonly string[]
}

/** One after another: together they take a few seconds, most of it spent waiting. */
export async function tellReceivers(): Promise<readonly ReceiverTold[]> {
  try {
    const all: ReceiverTold[] = []
    for (const name of Object.keys(broken)) all.push(await tellReceiver(name))
    return all
  } finally {
    endReceivers()
  }
}

async function tellReceiver(name: string): Promise<ReceiverTold> {
  const { patches = [], found = {} } = broken[name] ?? {}
  const { record } = await runReceiver(await startPatched(name, ...patches), { seed: 1 })
  const red = record.findings.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')
  const said = against(record)
  const differs = Object.keys({ ...said, ...found }).filter((clause) => said[clause] !== found[clause])
  const fails = Object.values(found).includes('fail')
  return {
    name,
    red: red.map(({ check }) => check),
    problems: [
      ...differs.map(
        (clause) => `${clause}: expected ${found[clause] ?? 'pass'}, got ${said[clause] ?? 'pass'}`,
      ),
      ...((record.conformance === 'nonconformant') === fails ? [] : [`the run is ${record.conformance}`]),
    ],
  }
}
