/** Runs the broken receivers and returns the checks that fail. */
import { runReceiver } from '../../suites/runner/drivers/receiver.ts'
import { broken } from './broken-receivers.ts'
import { copyResult, type CopyResult } from './copies.ts'
import { endReceivers, startPatched } from './receiver-process.ts'

/** Sequential; all of them take a few seconds. */
export async function runBrokenReceivers(): Promise<readonly CopyResult[]> {
  try {
    const all: CopyResult[] = []
    for (const [name, { patches = [], found }] of Object.entries(broken)) {
      const { record } = await runReceiver(await startPatched(name, ...patches), { seed: 1 })
      all.push(copyResult(name, record, found))
    }
    return all
  } finally {
    endReceivers()
  }
}
