/** The one test file of an embedded run. What it runs is handed in; what it tells goes back over a channel. */
import { BroadcastChannel } from 'node:worker_threads'
import { inject } from 'vitest'
import { eventOf } from '../runner/outcome/run-event.ts'
import { describeContract } from './describe-contract.ts'
import { handOver, type Reply, type Told } from './errand.ts'

const { target, options, channel } = inject('touchstone')

const line = new BroadcastChannel(channel)
// A run that never comes to its end does not keep the worker.
line.unref()

function reply(message: Reply): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel between threads has no origin
  line.postMessage(message)
}

const stop = new AbortController()

function tell(event: Told): void {
  if (!handOver((taken) => reply({ event, taken }))) stop.abort()
}

describeContract(target, {
  ...options,
  signal: stop.signal,
  onProgress(progress) {
    const event = eventOf(progress)
    if (event) tell(event)
  },
  onCreate: (entry) => tell({ is: 'created', entry }),
  onGone: (id) => tell({ is: 'gone', id }),
  onRun: (run) => reply({ run }),
  onRefused: (thrown) => reply({ refused: thrown instanceof Error ? thrown.message : String(thrown) }),
})
