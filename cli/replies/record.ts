/** `touchstone replies record`: a conversation with a service, made into a reply file. */
import { closeSync, existsSync, openSync, rmSync } from 'node:fs'
import schema from '../../spec/schemas/reply-rule.json' with { type: 'json' }
import { exitCodes } from '../exit-codes.ts'
import type { Io } from '../io.ts'
import { writeOut } from '../out-file.ts'
import { UsageError } from '../usage-error.ts'
import { codeOf, secret } from '../values.ts'
import { identifiersFrom } from '../vendor.ts'
import { rowsOf, type Row } from './conversation.ts'
import { createService, type Service } from './exchange.ts'
import type { Passed } from './heard.ts'
import { passOn } from './pass-on.ts'
import type { RecordOptions } from './record-command.ts'
import { createRemover, type Remover, type Secret } from './redact.ts'
import { redacted } from './redacted.ts'
import { speak, type Speech } from './speak.ts'
import { written } from './written.ts'

/** What was recorded, and what must not be written. */
interface Recorded {
  turns: readonly Passed[]
  keys: readonly string[]
  /** Why it is less than was asked for, or null. */
  stopped: string | null
}

/** Gives the exit code. Throws UsageError. */
export async function record(options: RecordOptions, io: Io): Promise<number> {
  const { replayHeader } = identifiersFrom(options)
  const named = (options.redact ?? []).map((text) => secretOf(text, io))
  checkRemovable(named)
  const source = sourceOf(options, io)
  const service = createService(options.baseUrl, () => io.now())
  const forget = options.out === undefined ? () => undefined : writable(options.out)
  try {
    const { turns, keys, stopped } = await source(service)
    const rows = rowsOf(turns, { timing: options.timing ?? false, replayHeader })
    if (stopped !== null) io.err(`${stopped}\n`)
    const known = keys
      .filter((value) => value.length > 3)
      .map((value): Secret => ({ kind: 'api-key', value }))
    const kept = write(rows, removerOf([...known, ...named]), options, io)
    if (kept === 0) {
      forget()
      throw new UsageError('no turn could be recorded, so nothing was written.')
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

/** What a reply file consists of, whatever was said. */
const vocabulary = [
  'Recorded by touchstone replies record.',
  ...Object.values(schema.$defs).flatMap((shape) =>
    'properties' in shape ? Object.keys(shape.properties) : [],
  ),
].join('\n')

/** Told before anything is sent: what is too short, and what stands in every file. */
function checkRemovable(secrets: readonly Secret[]): void {
  for (const one of secrets)
    if (removerOf([one]).leaks(vocabulary))
      throw new UsageError(
        '--redact: a value is a word of the reply file format itself, such as the name of a member; leave it out.',
      )
}

function removerOf(secrets: readonly Secret[]): Remover {
  try {
    return createRemover(secrets)
  } catch {
    throw new UsageError(
      '--redact: give at least 4 characters; what is shorter cannot be told from other text.',
    )
  }
}

function sourceOf(options: RecordOptions, io: Io): (service: Service) => Promise<Recorded> {
  const { listen, message: messages = [], agent, key, stream = false } = options
  if (listen !== undefined && messages.length > 0)
    throw new UsageError('--listen and --message contradict one another: leave one away.')
  if (listen !== undefined) {
    const port = listen === true ? 0 : listen
    return async (service) => ({ ...(await passOn(service, port, io)), stopped: null })
  }
  if (messages.length === 0)
    throw new UsageError('say what to record: give --message, or --listen for a client of yours.')
  if (agent === undefined || key === undefined)
    throw new UsageError('--message needs --agent, and --key as env:NAME or file:PATH.')
  const speech: Speech = { agent, key: secret('--key', key, io.env), messages, stream }
  return async (service) => {
    io.err(
      `This takes ${messages.length} ${messages.length === 1 ? 'turn' : 'turns'} of agent ${agent} at the most, which cost credits.\n`,
    )
    return { ...(await speak(service, speech, io)), keys: [speech.key] }
  }
}

/** Told before a turn is paid for. What it gives undoes what it did. */
function writable(place: string): () => void {
  const made = !existsSync(place)
  try {
    closeSync(openSync(place, 'a'))
  } catch (error) {
    throw new UsageError(`--out ${place}: it cannot be written (${codeOf(error)}); name another file.`)
  }
  return () => (made ? rmSync(place) : undefined)
}

/** Gives how many turns there are in it. */
function write(told: readonly Row[], remover: Remover, options: RecordOptions, io: Io): number {
  const rows = redacted(told, remover)
  const kept = rows.filter(({ rule }) => rule).length
  for (const { rule, notes } of rows) if (!rule) io.err(`${notes.join(' ')}\n`)
  if (kept === 0) return 0
  const text = written(rows)
  if (remover.leaks(text)) throw new Error('a secret is left in the reply file, so it was not written')
  if (options.out === undefined) io.out(text)
  else writeOut(options.out, text)
  const counts = Object.entries(remover.counts()).map(([kind, times]) => `${times} × ${kind}`)
  io.err(`${kept} ${kept === 1 ? 'turn' : 'turns'} recorded; taken out: ${counts.join(', ') || 'nothing'}.\n`)
  return kept
}
