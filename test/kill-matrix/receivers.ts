/** Runs the broken receivers and returns the checks that fail. */
import pMap from 'p-map'
import { runReceiver } from '../../suites/runner/drivers/receiver.ts'
import { broken } from './broken-receivers.ts'
import { copyResult, type CopyResult } from './copies.ts'
import { endReceivers, startPatched } from './receiver-process.ts'

/** They mostly wait for effects that do not come; more would delay one another. */
const atOnce = 4

export async function runBrokenReceivers(): Promise<readonly CopyResult[]> {
  const rows = Object.entries(broken)
  const result = async ([name, { patches, found }]: (typeof rows)[number]): Promise<CopyResult> => {
    const { record } = await runReceiver(await startPatched(name, ...patches), { seed: 1 })
    return copyResult(name, record, found)
  }
  try {
    return await pMap(rows, result, { concurrency: atOnce })
  } finally {
    endReceivers()
  }
}
