/** How a command writes: data to stdout, words for a person to stderr, neither with keys or control characters. */
import type { ChatReply, DoneEvent, StreamEvent } from '../../chat/reply.ts'
import type { CommandLineIo } from '../process-io.ts'
import { type Speech, type VendorFlags, speechOf } from '../settings/vendor.ts'

export interface DiscreetIo extends CommandLineIo {
  /** From now on these words are not printed to stderr. */
  conceal(secret: string): void
  /** The vendor's word, once a command has said which one it is. */
  readonly speech: Speech
  /** Throws a UsageError for a word that cannot be one. */
  speak(flags: VendorFlags): void
}

/** All but line ends and tabs: an agent, or a service, is not to move the cursor or set the title of a window. */
// oxlint-disable-next-line no-control-regex
const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

/** Whatever looks like a key, such as one that was typed where none belongs. */
const keyLike = /\b(sk-|ak_)[\w.-]{4,}/g

export function createDiscreetIo(io: CommandLineIo): DiscreetIo {
  const secrets: string[] = []
  let speech: Speech | undefined
  const withoutKeys = (text: string): string =>
    secrets.reduce((shown, secret) => shown.replaceAll(secret, '[key]'), text).replace(keyLike, '[key]')
  return {
    ...io,
    conceal: (secret) => void secrets.push(secret),
    speak: (flags) => void (speech = speechOf(flags, io.env)),
    get speech() {
      return (speech ??= speechOf({}, io.env))
    },
    out: (text) => io.out(io.terminal ? text.replace(control, '') : text),
    err: (text) => io.err(withoutKeys(text.replace(control, ''))),
  }
}

export function printRecord(record: unknown, { json }: { json?: true }, io: CommandLineIo): void {
  io.out(`${JSON.stringify(record, null, json ? 0 : 2)}\n`)
}

/** Rows of texts as lines, each column as wide as its widest text. */
export function columns(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)))
  const line = (row: readonly string[]): string =>
    row.map((text, at) => text.padEnd(widths[at] ?? 0)).join('  ')
  return rows.map((row) => `${line(row).trimEnd()}\n`).join('')
}

export function printReply(reply: ChatReply, json: boolean, io: CommandLineIo): void {
  if (json) return io.out(`${JSON.stringify(reply)}\n`)
  if (reply.response !== '') io.out(`${reply.response}\n`)
  printAbout(reply, io)
}

/** What a person should know besides the words of the agent. */
export function printAbout(reply: ChatReply, io: CommandLineIo): void {
  const { customerMessage, presentation, replayed, conversationId, creditsUsed, creditsRemaining } = reply
  if (customerMessage) io.err('AI replies are paused: the message was stored, and no reply was made.\n')
  if (presentation) io.err('This turn has more than words, such as buttons or media: --json shows it.\n')
  if (replayed)
    io.err('This is the reply to an earlier request with the same key; the turn was not run again.\n')
  io.err(`conversation ${conversationId}, credits used ${creditsUsed}, remaining ${creditsRemaining}\n`)
}

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

export interface CommandContext {
  io: DiscreetIo
  /** How the process ends when the command is through; 0 unless it is called. */
  end: (code: number) => void
}
