/** `touchstone listen`: a receiver of webhooks for a person, until it is stopped. */
import type { Inbox } from '../../suites/inbound/inbox.ts'
import { createInbox } from '../../suites/inbound/server.ts'
import { realClock } from '../../suites/wire/clock.ts'
import { exitCodes } from '../exit-codes.ts'
import type { Io } from '../io.ts'
import { UsageError } from '../usage-error.ts'
import { secret as secretOf } from '../values.ts'
import { identifiersFrom } from '../vendor.ts'
import { attend, type Listener } from './attend.ts'
import type { VendorCommandOptions } from '../vendor.ts'
import type { Word } from './answers.ts'
import { createForwarder } from './forward.ts'
import { knownIds } from './known-ids.ts'
import { openRecording } from './recording.ts'
import { noCounts, summaryLine } from './summary.ts'

export interface ListenOptions extends VendorCommandOptions {
  port: number
  host: string
  secret?: string
  answer?: readonly Word[]
  forward?: string
  record?: string
  json?: true
}

/** Ids that are remembered, so that listening for a week needs no more memory than for an hour. */
const idsRemembered = 100_000

/** Gives the exit code once it was ended. Throws UsageError and ConfigurationError. */
export async function listen(options: ListenOptions, io: Io): Promise<number> {
  const { stopped } = io
  const listener = listenerOf(options, io)
  const inbox = await open(options, listener)
  const failed = Promise.withResolvers<never>()
  const place = inbox.open('/', (arrival) => {
    const reported = attend(arrival, place, listener).catch(failed.reject)
    listener.open.add(reported)
    void reported.finally(() => listener.open.delete(reported))
  })
  place.script(...(listener.forwarder ? ['hold' as const] : listener.words.map(({ answer }) => answer)))
  greet(inbox, listener)
  try {
    await Promise.race([ended(stopped), failed.promise])
  } finally {
    await inbox.close()
    await Promise.all(listener.open)
    await listener.forwarder?.close()
    listener.recording?.close()
    sum(listener)
  }
  // What was reported only while it closed may have failed too.
  return Promise.race([failed.promise, Promise.resolve(exitCodes.ok)])
}

function listenerOf(options: ListenOptions, io: Io): Listener {
  const { secret, answer = [], forward, record, json } = options
  if (forward !== undefined && answer.length > 0)
    throw new UsageError('--forward and --answer contradict one another: leave one away.')
  const identifiers = identifiersFrom(options)
  return {
    io,
    identifiers,
    clock: realClock(),
    json: json ?? false,
    secret: secret === undefined ? null : secretOf('--secret', secret, io.env),
    words: answer,
    forwarder: forward === undefined ? null : createForwarder(forward),
    recording: record === undefined ? null : openRecording(record),
    known: knownIds(idsRemembered),
    counts: noCounts(),
    open: new Set(),
  }
}

const garbage = {
  tls: 'Something came that speaks TLS: give the webhook an address that begins with http://.\n',
  unknown: 'Something came that is no HTTP request; it was answered 400.\n',
}

/** Each request is printed as it arrives: one kept would be a body of up to a megabyte that nobody reads again. */
const nothingKept = { placeLimit: 1, beyondLimit: 'forget' } as const

async function open({ host, port }: ListenOptions, { clock, recording, io }: Listener): Promise<Inbox> {
  const onGarbage = (is: keyof typeof garbage): void => io.err(garbage[is])
  try {
    return await createInbox({ clock, host, port, ...nothingKept, onGarbage })
  } catch (error) {
    recording?.close()
    throw error
  }
}

function greet({ host, port }: Inbox, { io, json, secret }: Listener): void {
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}/`
  if (json) return io.out(`${JSON.stringify({ is: 'listening', url })}\n`)
  const checks =
    secret === null ? 'Signatures are not checked: give --secret for that.' : 'Signatures are checked.'
  io.err(`Listening at ${url} and every path below. ${checks} Ctrl-C ends it.\n`)
}

function sum({ io, json, counts }: Listener): void {
  if (json) io.out(`${JSON.stringify({ is: 'summary', ...counts })}\n`)
  else io.err(summaryLine(counts))
}

function ended(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
