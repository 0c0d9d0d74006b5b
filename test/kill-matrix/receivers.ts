/** Runs the broken receivers and returns the checks that fail. */
import { runReceiver } from '../../suites/runner/drivers/receiver.ts'
import { broken } from './broken-receivers.ts'
import { copyResult, type CopyResult } from './copies.ts'
import { endReceivers, startPatched } from './receiver-process.ts'

/** Sequential; all of them take a few seconds. */
export async function runBrokenReceivers(): Promise<readonly CopyResult[]> {
  try {
    const all: CopyResult[] = []
    for (const name of Object.keys(broken)) all.push(await runBrokenReceiver(name))
    return all
  } finally {
    endReceivers()
  }
}

async function runBrokenReceiver(name: string): Promise<CopyResult> {
  const { patches = [], found } = broken[name] ?? {}
  const { record } = await runReceiver(await startPatched(name, ...patches), { seed: 1 })
  return copyResult(name, record, found)
}
