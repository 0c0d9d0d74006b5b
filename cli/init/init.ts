/** Writes a target file for a first run, with the given values filled in. */
import { existsSync, writeFileSync } from 'node:fs'
import { randomInt } from 'node:crypto'
import { stringify } from 'yaml'
import { unmentioned } from '../../suites/config/states.ts'
import { quote } from '../../bundle/curl.ts'
import type { Io } from '../io.ts'
import { UsageError } from '../usage-error.ts'
import { codeOf } from '../values.ts'
import type { InitOptions } from '../commands/options.ts'
import { answersFrom, type InitAnswers } from './answers.ts'
import { IdentifierError, identifiersOf } from '../../spec/identifiers.ts'
import { ConfigurationError, type Target } from '../../suites/config/target.ts'
import { version } from '../version.ts'

function statedVendor(word: string): string {
  try {
    identifiersOf(word)
    return word.toLowerCase()
  } catch (error) {
    if (!(error instanceof IdentifierError)) throw error
    throw new UsageError(`--vendor: ${error.message}`)
  }
}

/**
 * The word that the target writes; undefined if it is `service`, or was not found. `text` is a target file with
 * address, key and agent. Prints on stderr what it sends and finds.
 */
async function lookForVendor(text: string, file: string, io: Io): Promise<string | undefined> {
  const { parseTarget } = await import('../../suites/config/file/file.ts')
  const { findVendor } = await import('../../suites/doctor/vendor.ts')
  const { TargetUnreachable } = await import('../../suites/runner/plan/preflight.ts')
  const unfound = (because: string): undefined => {
    io.err(`The vendor's word was not found: ${because}. touchstone doctor looks for it again.\n`)
  }
  let target: Target
  try {
    target = parseTarget(text, file, io.env)
  } catch (error) {
    // A variable is not set; it is named at the end.
    if (error instanceof ConfigurationError) return undefined
    throw error
  }
  io.err(`Sending one turn and its replay to ${target.baseUrl}, to find the vendor's word.\n`)
  try {
    const result = await findVendor(target, { seed: randomInt(2 ** 31 - 1), version: version() })
    if ('because' in result) return unfound(result.because)
    const seen = result.seen.join(', ')
    const word = result.word === null ? undefined : statedVendor(result.word)
    io.err(
      word === undefined
        ? `It writes \`service\`, the word of the contract (${seen}).\n`
        : `It writes \`${result.word}\` (${seen}): target.vendor is set to it.\n`,
    )
    return result.word ?? undefined
  } catch (error) {
    const known = [TargetUnreachable, ConfigurationError, UsageError]
    if (error instanceof Error && known.some((kind) => error instanceof kind)) return unfound(error.message)
    throw error
  }
}

export async function init(file: string, options: InitOptions, io: Io): Promise<void> {
  const answers = await answersFrom(options, io)
  const force = options.force ?? false
  if (existsSync(file) && !force) throw isThere(file)
  const { name, kind, baseUrl, apiKey, agent } = answers
  const vendor =
    options.vendor === undefined
      ? await lookForVendor(textOf({ name, kind, baseUrl, apiKey, agent }), file, io)
      : statedVendor(options.vendor)
  const text = textOf(answers, vendor)
  try {
    writeFileSync(file, text, { flag: force ? 'w' : 'wx' })
  } catch (error) {
    const code = codeOf(error)
    if (code === 'EEXIST') throw isThere(file)
    throw new UsageError(`${file} cannot be written (${code}): give another file.`)
  }
  const names = Object.values(answers)
    .flatMap((value) => /^env:(.+)/.exec(value)?.[1] ?? [])
    .filter((variable) => !io.env[variable])
  const next = [
    ...new Set(names.map((variable) => `export ${variable}=…`)),
    `${io.started.as} doctor ${quote(Buffer.from(file))}`,
    `${io.started.as} check ${quote(Buffer.from(file))} --profile smoke`,
  ]
  io.err(`Wrote ${file}. Next:\n${next.map((command) => `  ${command}\n`).join('')}`)
}

const isThere = (file: string): UsageError =>
  new UsageError(`${file} exists: give another file, or overwrite it with --force.`)

const schema =
  '# yaml-language-server: $schema=./node_modules/@touchstone-suite/touchstone/suites/config/schema.json'
const unprepared = { provide: 'none', why: 'nothing is prepared for it yet' }

/** Only what was given, and the states that a file must mention. */
function textOf(answers: InitAnswers, vendor?: string): string {
  const needed = Object.fromEntries(unmentioned({}).map((state) => [state, unprepared]))
  const policy = {
    expectedNotExercised: [{ pattern: '*', reason: 'a first run; list what is missing later' }],
  }
  return [
    schema,
    '# A target file for a first run; docs/target-file.md has every key. Secrets are never written here, but referred',
    '# to as env:NAME or file:PATH.',
    stringify(declared(answers, vendor)).trimEnd(),
    'states:',
    ...Object.entries({ ...needed, ...pausedState(answers) }).map(
      ([state, provision]) => `  ${state}: ${flow(provision)}`,
    ),
    'profile: smoke',
    '# Before it gates a release, replace * by what a run did not test: `npx touchstone baseline` writes it.',
    stringify({ policy }),
  ].join('\n')
}

const pausedState = ({ pausedAgent }: InitAnswers): object =>
  pausedAgent === undefined ? {} : { 'chat.paused': { provide: 'fixture', agent: 'paused' } }

/** What was not given is undefined, and is not written. A target that delivers to localhost is one in development. */
function declared(answers: InitAnswers, vendor?: string): Readonly<Record<string, unknown>> {
  const { name, kind, baseUrl, apiKey: bearer, agent, secondAgent, pausedAgent } = answers
  const { session, receiver, operation: id } = answers
  const mode =
    receiver === 'loopback' ? { mode: receiver, development: true } : { mode: 'public', publicUrl: receiver }
  return {
    apiVersion: 'touchstone/v1',
    target: { name, kind, baseUrl, vendor },
    principals: { main: { bearer, scopes: ['chat'] } },
    agents: { plain: agent, second: secondAgent, ...(pausedAgent && { paused: pausedAgent }) },
    session: session && { headers: { Cookie: session } },
    receiver: receiver && mode,
    fixtures: id && { operations: { read: { id, input: {}, receipt: 'completed' } } },
  }
}

const flow = (value: unknown): string =>
  stringify(value, { collectionStyle: 'flow', lineWidth: 0, flowCollectionPadding: false }).trim()
