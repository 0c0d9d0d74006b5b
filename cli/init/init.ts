/** Writes a target file that contains every key, with the given values filled in. */
import { existsSync, writeFileSync } from 'node:fs'
import { randomInt } from 'node:crypto'
import { stringify } from 'yaml'
import { isOfEvent, states } from '../../spec/index.ts'
import { anyEvent, anyNear, unmentioned, wireStates } from '../../suites/config/states.ts'
import { quote } from '../../bundle/curl.ts'
import type { Io } from '../io.ts'
import { UsageError } from '../usage-error.ts'
import { codeOf } from '../values.ts'
import type { InitOptions } from '../commands/options.ts'
import { answersFrom, type InitAnswers } from './answers.ts'
import { isObject } from '../../spec/json.ts'
import { wrap } from '../../reports/visible.ts'
import { namedIn, openIn, rootNode, whole, type SchemaNode } from '../../suites/config/file/schema.ts'
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

const managed = 'Take it out once `session` is there.'
const delivered = 'Take it out once `session` and `receiver` are there.'
const executed = 'Take it out once `fixtures.operations` has a read, and a write with `optIn: [writes]`.'

/** What is expected to be missing: by why it is, when to remove the entry of each pattern. */
const missing = {
  'others may spend credits of the account': {
    'rules/charges': 'Take it out once `exclusiveCredits: true` is there.',
  },
  'no signed-in user for tests': {
    'webhook-*': managed,
    'delivery*': delivered,
    attempts: delivered,
    signing: delivered,
  },
  'nowhere to deliver to': { 'receiver-unreachable': 'Take it out once `receiver` is there.' },
  'no operations for tests': {
    discovery:
      'Take it out once `principals` has keys with and without `agent_design_read`, and `fixtures.operations` a read.',
    execution: executed,
    receipts: executed,
    tasks:
      'Take it out once `fixtures.operations` has a write that leads to accepted, with `optIn: [writes]`.',
    approvals:
      'Take it out once `fixtures.operations` has a write that leads to pending_approval, with `optIn: [writes]`.',
    uploads: 'Take it out once `dialect.uploads` is there, with `optIn: [writes]`.',
    billing: 'Take it out once `principals` has keys with and without `billing_read`.',
    scopes:
      'Take it out once `principals` has keys with and without each scope, and `fixtures.operations` a read.',
  },
} as const

export async function init(file: string, options: InitOptions, io: Io): Promise<void> {
  const answers = await answersFrom(options, io)
  const force = options.force ?? false
  if (existsSync(file) && !force) throw isThere(file)
  const { name, kind, baseUrl, apiKey, agent } = answers
  const vendor =
    options.vendor === undefined
      ? await lookForVendor(textOf({ name, kind, baseUrl, apiKey, agent }), file, io)
      : statedVendor(options.vendor)
  const text = options.short ? shortText(answers, vendor) : textOf(answers, vendor)
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

function textOf(answers: InitAnswers, vendor?: string): string {
  // Each entry of the policy with its comment.
  const { session, receiver, operation } = answers
  const reasons: readonly (keyof typeof missing)[] = [
    'others may spend credits of the account',
    ...(session === undefined ? (['no signed-in user for tests'] as const) : []),
    ...(session !== undefined && receiver === undefined ? (['nowhere to deliver to'] as const) : []),
    ...(operation === undefined ? (['no operations for tests'] as const) : []),
  ]
  const expected = reasons.flatMap((reason) =>
    Object.entries(missing[reason]).map(([pattern, until]) => ({ entry: { pattern, reason }, until })),
  )
  const single = Object.keys(states).filter((state) => !isOfEvent(state))
  const provisions = [...single, anyEvent, anyNear].map((state) => [
    state,
    wireStates.some((one) => one === state) ? { provide: 'wire' } : unprepared,
  ])
  const given = {
    ...declared(answers, vendor),
    states: { ...Object.fromEntries(provisions), ...pausedState(answers) },
    policy: { expectedNotExercised: expected.map(({ entry }) => entry) },
  }
  const comments = {
    states:
      'How each state of the contract is entered: wire (by the suite itself), fixture (an agent, a message or a principal in that state), control (the control protocol), http (a request of yours), exec (a program of yours), manual (a prompt), attest (a statement of a person), none (with the reason).',
    [anyEvent]:
      'A webhook event happens. For each event without a line of its own, such as `event.booking.created`.',
    [anyNear]:
      'A similar action that must not send the event, such as a booking that fails. For each event without a line of its own.',
    ...Object.fromEntries(Object.entries(states).map(([state, { means }]) => [state, means])),
    ...Object.fromEntries(expected.map(({ entry, until }) => [flow(entry), until])),
  }
  return [
    schema,
    '#',
    '# A target file. A key that is commented out shows its default or an example; remove the # to change it.',
    '# Secrets are never written here, but referred to as env:NAME or file:PATH.',
    ...targetFileText(given, comments),
    '',
  ].join('\n')
}

/** Only what was given, and the states that a file must mention. */
function shortText(answers: InitAnswers, vendor?: string): string {
  const needed = Object.fromEntries(unmentioned({}).map((state) => [state, unprepared]))
  const policy = {
    expectedNotExercised: [{ pattern: '*', reason: 'a first run; list what is missing later' }],
  }
  return [
    schema,
    '# A target file for a first run. `touchstone init full.yaml` writes one with every key and a comment for each;',
    '# docs/target-file.md is the reference. Secrets are referred to as env:NAME or file:PATH.',
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

interface Place {
  node: SchemaNode
  given: unknown
  indent: number
  /** The column of the `#`, or null if the entry is not commented out. */
  commentColumn: number | null
}

type Table = Readonly<Record<string, unknown>>

/**
 * Lines of YAML, without `$schema`. `given`: values by key. `comments`: comments that the schema lacks, by key, or for an
 * entry of a list by its text.
 */
function targetFileText(given: Table, comments: Readonly<Record<string, string>>): readonly string[] {
  const commented = (text: string, place: Place): readonly string[] =>
    text === '' ? [] : wrap(text, 96 - place.indent).map((line) => indented(`# ${line}`, place))
  const entry = (key: string, place: Place): readonly string[] => {
    const { node, given: value, indent } = place
    const commentColumn = place.commentColumn ?? (value === undefined ? indent : null)
    const here = { ...place, commentColumn }
    const above = commented(comments[key] ?? whole(node).description ?? '', here)
    const inner = { ...here, indent: indent + 2 }
    if (isListOfTables(value)) {
      // One entry per line, each with its comment.
      const lines = value.flatMap((one) => [
        ...commented(comments[flow(one)] ?? '', inner),
        indented(`- ${flow(one)}`, inner),
      ])
      return [...above, indented(`${key}:`, here), ...lines]
    }
    // A state provider, or a key with a default, is written on one line.
    const isLeaf = isObject(value) ? 'provide' in value : whole(node).default !== undefined
    const children = isLeaf ? [] : childrenOf(node, value)
    if (children.length === 0)
      return [...above, indented(`${key}: ${flow(value === undefined ? sampleOf(node) : value)}`, here)]
    const below = children.flatMap(([name, child, own]) => entry(name, { ...inner, node: child, given: own }))
    return [...above, indented(`${key}:`, here), ...below]
  }
  return Object.entries(namedIn(rootNode)).flatMap(([key, node]) =>
    key === '$schema' ? [] : ['', ...entry(key, { node, given: given[key], indent: 0, commentColumn: null })],
  )
}

type Child = readonly [name: string, node: SchemaNode, given: unknown]

function childrenOf(node: SchemaNode, given: unknown): readonly Child[] {
  const table = isObject(given) ? given : {}
  const named = namedIn(node)
  const own = openIn(node)
  // `event.*` and `no-event.*` represent all of them.
  const known = Object.entries(named)
    .map(([name, child]) => [name, child, table[name]] as const)
    .filter(([name, , value]) => value !== undefined || !/^(?:no-)?event\.\w/.test(name))
  if (!own) return known
  const further = Object.keys(table).filter((name) => !(name in named))
  const names = further.length > 0 || known.length > 0 ? further : ['example']
  return [...known, ...names.map((name) => [name, own, table[name]] as const)]
}

/** If the `#` is removed, a commented line has the right indentation. */
function indented(text: string, { indent, commentColumn }: Place): string {
  if (commentColumn === null) return `${' '.repeat(indent)}${text}`
  return `${' '.repeat(commentColumn)}#${' '.repeat(indent - commentColumn)}${text}`
}

const samples: Readonly<Record<string, unknown>> = {
  value: 'env:NAME',
  secret: 'env:NAME',
  pointer: '/member',
  route: '/api/v1/path',
  string: 'text',
  number: 1,
  integer: 1,
  boolean: false,
}

function sampleOf(node: SchemaNode): unknown {
  const { default: usual, examples, enum: choices, const: only, type, items } = whole(node)
  if (usual !== undefined) return usual
  if (examples) return examples[0]
  if (only !== undefined || choices) return only ?? choices?.[0]
  if (type === 'array') return [sampleOf(items ?? {})]
  return samples[node.$ref?.replace('#/$defs/', '') ?? ''] ?? samples[String(type)] ?? {}
}

const flow = (value: unknown): string =>
  stringify(value, { collectionStyle: 'flow', lineWidth: 0, flowCollectionPadding: false }).trim()

function isListOfTables(value: unknown): value is readonly Table[] {
  return Array.isArray(value) && value.length > 0 && value.every(isObject)
}
