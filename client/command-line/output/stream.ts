/** The events of a stream, printed as they come. */
import type { DoneEvent, StreamEvent } from '../../chat/reply.ts'
import type { CommandLineIo } from '../io.ts'
import { printAbout } from './reply.ts'

/** As JSON: a line for each event. Else tokens as they are, and what happens between them in words. */
export async function printEvents(
  events: AsyncIterable<StreamEvent>,
  json: boolean,
  io: CommandLineIo,
): Promise<void> {
  if (!json) return printTokens(events, io)
  for await (const event of events) io.out(`${JSON.stringify(event)}\n`)
}

/** What was printed ends with a line end also where the stream does not end as it should. */
async function printTokens(events: AsyncIterable<StreamEvent>, io: CommandLineIo): Promise<void> {
  let printed = ''
  const endLine = (): void => {
    if (printed !== '' && !printed.endsWith('\n')) io.out('\n')
  }
  try {
    for await (const event of events) {
      if (event.type === 'done') {
        endLine()
        finish(event, printed, io)
        printed = ''
      } else if (event.type === 'token' && typeof event.token === 'string') {
        printed += event.token
        io.out(event.token)
      } else between(event, io)
    }
  } finally {
    endLine()
  }
}

/** A replay has no tokens, and a gate may have changed the reply since: what `done` says is the reply. */
function finish(done: DoneEvent, printed: string, io: CommandLineIo): void {
  if (printed !== done.response) {
    if (printed !== '') io.err('The reply was changed since; this is what it came to:\n')
    if (done.response !== '') io.out(`${done.response}\n`)
  }
  printAbout(done, io)
}

/** Types that are not known are passed over. */
function between(event: Exclude<StreamEvent, DoneEvent>, io: CommandLineIo): void {
  if (event.type === 'action_start') io.err(`[${event.actionName} started]\n`)
  if (event.type === 'action_complete') io.err(`[${event.actionName} ${event.success ? 'done' : 'failed'}]\n`)
  if (event.type === 'gate_triggered') io.err(`[gate: ${event.decision}, ${event.reason}]\n`)
}
