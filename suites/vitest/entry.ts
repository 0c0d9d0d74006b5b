/** The one test file of an embedded run. Its task is passed in; its events go back over a channel. */
import { BroadcastChannel } from 'node:worker_threads'
import { inject } from 'vitest'
import { eventOf } from '../runner/outcome/run-event.ts'
import { describeUnredacted } from './describe-contract.ts'
import { deliverEvent, refusalOf, type EmbeddedReply, type EmbeddedEvent } from './embedded-task.ts'

const { target, options, channel } = inject('touchstone')

const line = new BroadcastChannel(channel)
// A run that never comes to its end does not keep the worker.
line.unref()

function reply(message: EmbeddedReply): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel between threads has no origin
  line.postMessage(message)
}

const stop = new AbortController()

function send(event: EmbeddedEvent): void {
  if (!deliverEvent((taken) => reply({ event, acknowledgement: taken }))) stop.abort()
}

const onRefused = (thrown: unknown): void => reply({ refused: refusalOf(thrown) })

try {
  describeUnredacted(target, {
    ...options,
    signal: stop.signal,
    onProgress(progress) {
      const event = eventOf(progress)
      if (event) send(event)
    },
    onCreate: (entry) => send({ is: 'created', entry }),
    onGone: (id) => send({ is: 'gone', id }),
    onRun: (run) => reply({ run }),
    onRefused,
  })
} catch (thrown) {
  // Such as a pattern that matches nothing: refused before there is a test.
  onRefused(thrown)
  throw thrown
}
