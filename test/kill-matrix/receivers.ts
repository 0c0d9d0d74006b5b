/** What the broken copies of a receiver turn red. */
import { runReceiverUnredacted } from '../../suites/runner/drivers/receiver.ts'
import { broken } from './broken-receivers.ts'
import { copyTold, type CopyTold } from './copies.ts'
import { endReceivers, startPatched } from './receiver-process.ts'

/** One after another: together they take a few seconds, most of it spent waiting. */
export async function tellReceivers(): Promise<readonly CopyTold[]> {
  try {
    const all: CopyTold[] = []
    for (const name of Object.keys(broken)) all.push(await tellReceiver(name))
    return all
  } finally {
    endReceivers()
  }
}

async function tellReceiver(name: string): Promise<CopyTold> {
  const { patches = [], found } = broken[name] ?? {}
  const { record } = await runReceiverUnredacted(await startPatched(name, ...patches), { seed: 1 })
  return copyTold(name, record, found)
}
