/** Sends what a receipt answers, follows the receipt to its end, and prints what came of it. */
import type { Receipt } from '../../operations/receipt.ts'
import type { ServiceClient } from '../../service-client.ts'
import type { DiscreetIo } from './discretion.ts'
import { followReceipt } from './follow.ts'
import { printRecord } from './record.ts'

interface Options {
  /** Seconds for a task in all. */
  wait?: number
  json?: true
}

/** Gives the exit code. */
export async function seeThrough(
  send: () => Promise<Receipt>,
  client: ServiceClient,
  options: Options,
  io: DiscreetIo,
): Promise<number> {
  try {
    const receipt = await send()
    const { record, code } = await followReceipt(receipt, client, options.wait, io).catch(
      (error: unknown) => {
        // What it leads to is named in it: without it nobody could go on from here.
        printRecord(receipt.body, options, io)
        throw error
      },
    )
    printRecord(record, options, io)
    return code
  } finally {
    if (io.stopped.aborted)
      io.err('stopped: the work may go on. Run the same command with the same keys to see the result.\n')
  }
}
