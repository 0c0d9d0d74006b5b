/** Writes a target file in which everything that can be said stands, with what was answered filled in. */
import { existsSync, writeFileSync } from 'node:fs'
import { isOfEvent, states } from '../../spec/index.ts'
import { anyEvent, anyNear, wireStates } from '../../suites/config/states.ts'
import type { Io } from '../io.ts'
import { UsageError } from '../usage-error.ts'
import { codeOf } from '../values.ts'
import { answersFrom, type Answers } from './answers.ts'
import type { InitOptions } from './options.ts'
import { expectedFor, type Expectation } from './expected.ts'
import { lookForVendor, statedVendor } from './vendor.ts'
import { flow, written } from './written.ts'

/** Throws a UsageError where the file is there already, or cannot be written. */
export async function init(file: string, options: InitOptions, io: Io): Promise<void> {
  const answers = await answersFrom(options, io)
  const force = options.force ?? false
  if (existsSync(file) && !force) throw isThere(file)
  const { name, kind, baseUrl, apiKey, agent } = answers
  const vendor =
    options.vendor === undefined
      ? await lookForVendor(textOf({ name, kind, baseUrl, apiKey, agent }), file, io)
      : statedVendor(options.vendor)
  write(file, textOf(answers, vendor), force)
  const names = Object.values(answers)
    .flatMap((value) => /^env:(.+)/.exec(value)?.[1] ?? [])
    .filter((variable) => !io.env[variable])
  const set = names.length === 0 ? '' : `Set ${names.join(', ')}. `
  io.err(`Wrote ${file}. ${set}Then see what is right with: touchstone doctor ${file}\n`)
}

function write(file: string, text: string, force: boolean): void {
  try {
    writeFileSync(file, text, { flag: force ? 'w' : 'wx' })
  } catch (error) {
    const code = codeOf(error)
    if (code === 'EEXIST') throw isThere(file)
    throw new UsageError(`${file} cannot be written (${code}): name another file.`)
  }
}

const isThere = (file: string): UsageError =>
  new UsageError(`${file} is there already: name another file, or write over it with --force.`)

const schema = './node_modules/touchstone/suites/config/schema.json'

const head = [
  `# yaml-language-server: $schema=${schema}`,
  '#',
  '# What a service under test has. What is commented out shows a default or an example: take its # away to say',
  '# something else. Secrets are never written here: they are env:NAME or file:path.',
]

const unprepared = { provide: 'none', why: 'nothing is prepared for it yet' }

function textOf(answers: Answers, vendor?: string): string {
  const { name, kind, baseUrl, apiKey, agent, secondAgent, pausedAgent, session, receiver, operation } =
    answers
  const expected = expectedFor(answers)
  const paused = pausedAgent === undefined ? {} : { 'chat.paused': { provide: 'fixture', agent: 'paused' } }
  const given = {
    apiVersion: 'touchstone/v1',
    target: { name, kind, baseUrl, ...(vendor === undefined ? {} : { vendor }) },
    principals: { main: { bearer: apiKey, scopes: ['chat'] } },
    agents: {
      plain: agent,
      ...(secondAgent === undefined ? {} : { second: secondAgent }),
      ...(pausedAgent === undefined ? {} : { paused: pausedAgent }),
    },
    states: { ...everyState(), ...paused },
    ...(session === undefined ? {} : { session: { headers: { Cookie: session } } }),
    ...(receiver === undefined ? {} : { receiver: receiverOf(receiver) }),
    ...(operation === undefined ? {} : { fixtures: { operations: { read: readOf(operation) } } }),
    ...(expected.length === 0 ? {} : { policy: { expectedNotExercised: expected.map(entryOf) } }),
  }
  return [...head, ...written(given, comments(expected)), ''].join('\n')
}

/** Who delivers to localhost counts as one in development. */
function receiverOf(answer: string): object {
  return answer === 'loopback'
    ? { mode: 'loopback', development: true }
    : { mode: 'public', publicUrl: answer }
}

const readOf = (id: string): object => ({ id, input: {}, receipt: 'completed' })

const entryOf = ({ pattern, reason }: Expectation): object => ({ pattern, reason })

function everyState(): Readonly<Record<string, object>> {
  const single = Object.keys(states).filter((state) => !isOfEvent(state))
  return Object.fromEntries(
    [...single, anyEvent, anyNear].map((state) => [
      state,
      wireStates.some((one) => one === state) ? { provide: 'wire' } : unprepared,
    ]),
  )
}

const ways =
  'How each state of the contract comes about here: wire (the suite alone), fixture (an agent, a message or a principal that is in it), control (the control protocol), http (a request of yours), exec (a program of yours), manual (a person is asked), attest (somebody’s word), none (say why).'

function comments(expected: readonly Expectation[]): Readonly<Record<string, string>> {
  const ofStates = Object.entries(states).map(([state, { means }]) => [state, means] as const)
  return {
    states: ways,
    [anyEvent]:
      'A webhook event happens: of each that has no line of its own, such as `event.booking.created`.',
    [anyNear]:
      'What comes near a webhook event and must not be sent as one, such as a booking that fails: of each that has no line of its own.',
    ...Object.fromEntries(ofStates),
    ...Object.fromEntries(expected.map((one) => [flow(entryOf(one)), one.until])),
  }
}
