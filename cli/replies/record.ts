/** `touchstone replies record`: records a conversation with a service as a reply file. */
import { closeSync, existsSync, openSync, rmSync } from 'node:fs'
import schema from '../../spec/schemas/reply-rule.json' with { type: 'json' }
import { exitCodes } from '../exit-codes.ts'
import type { Io } from '../io.ts'
import { writeOut } from '../out-file.ts'
import { UsageError } from '../usage-error.ts'
import { codeOf, headerSecret, secret } from '../values.ts'
import { identifiersFrom } from '../vendor.ts'
import { rowsOf, type Row } from './conversation.ts'
import { createService, type Service } from './service.ts'
import type { RecordedTurn } from './turn-response.ts'
import { runProxy } from './proxy.ts'
import type { VendorCommandOptions } from '../vendor.ts'
import { createTextRedactor, type TextRedactor, type Secret } from './text-redactor.ts'
import { redactRows } from './redact-rows.ts'
import { sendMessages, type OutgoingConversation } from './send-messages.ts'
import { replyFileText } from './reply-file-text.ts'

export interface RecordOptions extends VendorCommandOptions {
  baseUrl: string
  agent?: string
  apiKey?: string
  message?: readonly string[]
  stream?: true
  /** True: any free port. */
  listen?: number | true
  timing?: true
  redact?: readonly string[]
  out?: string
}

/** Recorded turns, and the API keys to redact. */
interface Recorded {
  turns: readonly RecordedTurn[]
  keys: readonly string[]
  /** Why it stopped early, or null. */
  stopped: string | null
}

/** Returns the exit code. Throws a UsageError for wrong options, or if no turn is recorded. */
export async function record(options: RecordOptions, io: Io): Promise<number> {
  const { replayHeader } = identifiersFrom(options)
  const named = (options.redact ?? []).map((text) => secretOf(text, io))
  checkRedactable(named)
  const source = sourceOf(options, io)
  const service = createService(options.baseUrl, () => io.now())
  const removeNewFile = options.out === undefined ? () => undefined : openForWriting(options.out)
  try {
    const { turns, keys, stopped } = await source(service)
    const rows = rowsOf(turns, { timing: options.timing ?? false, replayHeader })
    if (stopped !== null) io.err(`${stopped}\n`)
    const known = keys
      .filter((value) => value.length > 3)
      .map((value): Secret => ({ kind: 'api-key', value }))
    const count = write(rows, redactorOf([...known, ...named]), options, io)
    if (count === 0) {
      removeNewFile()
      throw new UsageError('no turn was recorded, so no file was written.')
    }
    return stopped === null ? exitCodes.ok : exitCodes.lessExercised
  } finally {
    await service.close()
  }
}

function secretOf(text: string, { env }: Io): Secret {
  const value = /^(env|file):/.test(text) ? secret('--redact', text, env) : text
  return { kind: 'redacted', value }
}

/** Words of every reply file. */
const vocabulary = [
  'Recorded by touchstone replies record.',
  ...Object.values(schema.$defs).flatMap((shape) =>
    'properties' in shape ? Object.keys(shape.properties) : [],
  ),
].join('\n')

/** Throws a UsageError, before anything is sent, for a value that is too short or a word of every file. */
function checkRedactable(secrets: readonly Secret[]): void {
  for (const one of secrets)
    if (redactorOf([one]).leaks(vocabulary))
      throw new UsageError(
        '--redact: a value is a word of the reply file format, such as the name of a member; leave it out.',
      )
}

function redactorOf(secrets: readonly Secret[]): TextRedactor {
  try {
    return createTextRedactor(secrets)
  } catch {
    throw new UsageError('--redact: a value is too short; give at least 4 characters.')
  }
}

function sourceOf(options: RecordOptions, io: Io): (service: Service) => Promise<Recorded> {
  const { listen, message: messages = [], agent, apiKey, stream = false } = options
  if (listen !== undefined && messages.length > 0)
    throw new UsageError('--listen and --message cannot be combined; leave one out.')
  if (listen !== undefined) {
    const port = listen === true ? 0 : listen
    return async (service) => ({ ...(await runProxy(service, port, io)), stopped: null })
  }
  if (messages.length === 0)
    throw new UsageError('nothing to record: give --message, or --listen for your own client.')
  if (agent === undefined || apiKey === undefined)
    throw new UsageError('--message needs --agent, and --api-key as env:NAME or file:PATH.')
  const key = headerSecret('--api-key', apiKey, io.env)
  const conversation: OutgoingConversation = { agent, key, messages, stream }
  return async (service) => {
    io.err(
      `Sending ${messages.length} ${messages.length === 1 ? 'message' : 'messages'} to agent ${agent}; each turn may cost credits.\n`,
    )
    return { ...(await sendMessages(service, conversation, io)), keys: [conversation.key] }
  }
}

/** Checks the file before a turn costs credits. Returns a function that removes the file if it is new. */
function openForWriting(place: string): () => void {
  const made = !existsSync(place)
  try {
    closeSync(openSync(place, 'a'))
  } catch (error) {
    throw new UsageError(`--out ${place}: the file cannot be written (${codeOf(error)}); give another file.`)
  }
  return () => (made ? rmSync(place) : undefined)
}

/** Returns the number of turns in the file. */
function write(recorded: readonly Row[], redactor: TextRedactor, options: RecordOptions, io: Io): number {
  const rows = redactRows(recorded, redactor)
  const count = rows.filter(({ rule }) => rule).length
  for (const { rule, notes } of rows) if (!rule) io.err(`${notes.join(' ')}\n`)
  if (count === 0) return 0
  const text = replyFileText(rows)
  if (redactor.leaks(text)) throw new Error('the reply file still has a secret, so it was not written')
  if (options.out === undefined) io.out(text)
  else writeOut(options.out, text)
  const counts = Object.entries(redactor.counts()).map(([kind, times]) => `${times} × ${kind}`)
  io.err(
    `${count} ${count === 1 ? 'turn' : 'turns'} recorded; redacted: ${counts.join(', ') || 'nothing'}.\n`,
  )
  return count
}
