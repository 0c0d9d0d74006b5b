/** The one test file of an embedded run. What it plays is handed in; the run goes back over a channel. */
import { BroadcastChannel } from 'node:worker_threads'
import { inject } from 'vitest'
import { describeContract } from './describe-contract.ts'
import type { Reply } from './errand.ts'

const { target, options, channel } = inject('touchstone')

function reply(message: Reply): void {
  const line = new BroadcastChannel(channel)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel between threads has no origin
  line.postMessage(message)
  line.close()
}

describeContract(target, {
  ...options,
  onRun: (run) => reply({ run }),
  onRefused: (thrown) => reply({ refused: thrown instanceof Error ? thrown.message : String(thrown) }),
})
