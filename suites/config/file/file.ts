/** Reads a target file: YAML, held against its schema, with references and secrets looked up. */
import { createHash } from 'node:crypto'
import { dirname } from 'node:path'
import { parseDocument } from 'yaml'
import { ConfigurationError, type Target, type Provision, type TargetFile } from '../target.ts'
import { judgingIn, resolveTarget } from './resolve.ts'
import { literalKeys, type Environment, namedIn, openIn, rootNode, whole, type SchemaNode } from './schema.ts'
import { repaired, shapeOf } from './shape.ts'
import { readNamed } from '../../../bundle/folder/plain-file.ts'
import {
  readYaml,
  type Sourced,
  aliasesWithoutEnd,
  hasManyAliases,
  valueIn,
  type YamlPath,
  complain,
  type Reading,
  type Referred,
} from './source-map.ts'
import { stanzaFor, unmentioned } from '../states.ts'
import { realClock } from '../../wire/clock.ts'
import type { StateId } from '../../../spec/index.ts'
import { operations, vendorInFile } from '../sections/service.ts'
import { featureIds, isRequired, missingFor } from '../features.ts'
import { mayCall } from '../../scenario/scenario.ts'
import { baseUrlProblem } from '../../wire/route.ts'
import { isObject } from '../../../spec/json.ts'
import { at, type Json } from '../../wire/exchange.ts'
import { nearest } from '../../../spec/nearest.ts'

/**
 * `TOUCHSTONE_TARGET__BASE_URL` stands for target.baseUrl: levels are parted by two underscores, and what is one
 * word in the file may be several here. Values are written as in the file, so a secret is `env:` or `file:` too.
 */

const prefix = 'TOUCHSTONE_'

/** Variables that `touchstone exec` sets for its command: none of them overrides the file. */
const ofSimulator: readonly string[] = ['AGENT', 'SESSION', 'SEED', 'TENANT', 'CONTROL_URL', 'CONTROL_TOKEN']

interface Override {
  variable: string
  path: readonly string[]
  value: unknown
}

function overridden(sourced: Sourced, env: Environment): { sourced: Sourced; problems: readonly string[] } {
  if (!isObject(sourced.value)) return { sourced, problems: [] }
  const mentioned = JSON.stringify(sourced.value)
  const found = Object.entries(env)
    .filter(
      ([name, text]) =>
        name.startsWith(prefix) &&
        Boolean(text) &&
        !(Boolean(env['TOUCHSTONE_TENANT']) && ofSimulator.includes(name.slice(prefix.length))),
    )
    // A variable that the file itself refers to is only called so.
    .filter(([name]) => !mentioned.includes(`"env:${name}"`))
    .flatMap(([name, text = '']) => overrideFrom(name, text, sourced.value) ?? [])
  const problems = found.filter((one) => typeof one === 'string')
  const overrides = found.filter((one) => typeof one === 'object')
  return { sourced: overrides.length > 0 ? laidOver(sourced, overrides) : sourced, problems }
}

function laidOver(sourced: Sourced, overrides: readonly Override[]): Sourced {
  const value = structuredClone(sourced.value)
  // The shorter path first: the longer one says more.
  for (const { path, value: given } of overrides.toSorted((a, b) => a.path.length - b.path.length))
    put(value, path, given)
  return {
    value,
    at(path: YamlPath) {
      const by = overrides.find((one) => one.path.every((name, i) => name === path[i]))
      return by ? `the environment variable ${by.variable}` : sourced.at(path)
    },
  }
}

function put(table: unknown, [name = '', ...rest]: readonly string[], given: unknown): void {
  if (!isObject(table)) return
  const members: Record<string, unknown> = table
  if (rest.length === 0) members[name] = given
  else {
    if (!isObject(members[name])) members[name] = {}
    put(members[name], rest, given)
  }
}

/** Null for a variable that is none of ours. */
function overrideFrom(variable: string, text: string, file: unknown): Override | string | null {
  const segments = variable.slice(prefix.length).split('__')
  const path: string[] = []
  let node: SchemaNode = rootNode
  let value = file
  for (const [i, segment] of segments.entries()) {
    const known = { ...namedIn(node), ...ownNames(node, value) }
    const name = Object.keys(known).find(
      (candidate) => squeezed(environmentName(candidate)) === squeezed(segment),
    )
    const next = name === undefined ? undefined : known[name]
    if (name === undefined || next === undefined)
      return unknownName(variable, segments, i, Object.keys(known))
    path.push(name)
    node = next
    value = isObject(value) ? value[name] : undefined
  }
  const read = valueOf(text, node)
  return 'problem' in read
    ? `the environment variable ${variable}${read.problem}`
    : { variable, path, value: read.value }
}

function ownNames(node: SchemaNode, value: unknown): Readonly<Record<string, SchemaNode>> {
  const open = openIn(node)
  return open && isObject(value) ? Object.fromEntries(Object.keys(value).map((name) => [name, open])) : {}
}

/** A single word that is like nothing in a target file is somebody else's. */
function unknownName(
  variable: string,
  segments: readonly string[],
  at: number,
  known: readonly string[],
): string | null {
  const names = known.filter((name) => !name.startsWith('$')).map(environmentName)
  const near = nearest(segments[at] ?? '', names)
  if (segments.length === 1 && near === undefined) return null
  const called = (name: string): string => prefix + segments.with(at, name).join('__')
  const around = prefix + segments.slice(0, at).join('__')
  const others = names.length > 0 ? `known are ${names.map(called).join(', ')}` : `${around} has no parts`
  const advice = near === undefined ? others : `did you mean ${called(near)}?`
  return `the environment variable ${variable} is about nothing in a target file; ${advice}`
}

/** Text stays text; what else is meant is read as in the file. */
function valueOf(text: string, node: SchemaNode): { value: unknown } | { problem: string } {
  const { type, enum: choices, const: only } = whole(node)
  if (type === 'string' || choices !== undefined || only !== undefined) return { value: text }
  if (hasManyAliases(text)) return { problem: `: ${aliasesWithoutEnd}` }
  const document = parseDocument(text, { prettyErrors: false })
  const [error] = document.errors
  if (error) return { problem: ` is not YAML: ${error.message}` }
  const value = valueIn(document)
  return value === undefined ? { problem: `: ${aliasesWithoutEnd}` } : { value }
}

/** `baseUrl` is BASE_URL, `chat.paused` is CHAT_PAUSED. */
function environmentName(key: string): string {
  return key
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .replaceAll(/[^A-Za-z\d]+/g, '_')
    .toUpperCase()
}

const squeezed = (name: string): string => name.replaceAll('_', '')

type Rule = (target: Target, file: TargetFile, reading: Reading) => void

const replicas: Rule = ({ baseUrl, replicas }, _, reading) => {
  replicas.forEach((replica, i) => {
    const path = ['target', 'replicas', i]
    if (replica === '') return
    if (replica === baseUrl)
      complain(path, `is ${replica}, which is target.baseUrl; name the further ones only`, reading)
    else if (replicas.indexOf(replica) < i)
      complain(path, `is ${replica}, which stands there before; take one out`, reading)
  })
}

const agents: Rule = ({ agents: { plain, second } }, _, reading) => {
  if (plain !== '' && plain === second)
    complain(['agents', 'second'], `is ${second}, as agents.plain is; give another, or take it out`, reading)
}

/** The plain and the second agent belong to the account of the first key that reaches every agent. */
const accounts: Rule = ({ agents: { plain, second }, principals }, _, reading) => {
  const ordinary = principals.find((one) => one.agents === '*' && one.scopes.includes('chat') && !one.revoked)
  for (const { name, agents: own, account } of principals)
    if (
      ordinary &&
      account !== ordinary.account &&
      own !== '*' &&
      own.some((id) => id !== '' && [plain, second].includes(id))
    )
      complain(
        ['principals', name, 'agents'],
        `names an agent of the account "${ordinary.account}", and the key is of "${account}"; name agents of its own account`,
        reading,
      )
}

const features: Rule = ({ features }, file, reading) => {
  for (const feature of featureIds)
    if (features[feature] === 'unsupported' && isRequired(feature))
      complain(
        ['features', feature],
        'is unsupported, but the contract requires it; take that out, and put its failures under policy.knownFailures',
        reading,
      )
  for (const [state, written] of Object.entries(file.states)) {
    const feature = missingFor(state as StateId, features)
    const [provide = 'none'] = [written].flat().map((one) => one.provide)
    if (feature !== undefined && provide !== 'none')
      complain(
        ['states', state],
        `is provided by ${provide}, but features.${feature} is unsupported; take one of them out`,
        reading,
      )
  }
}

type Fixture = Extract<Provision, { provide: 'fixture' }>

function fixturesOf(target: Target): readonly (readonly [StateId, Fixture])[] {
  return Object.entries(target.states).flatMap(([state, provision]) =>
    provision.provide === 'fixture' ? [[state as StateId, provision] as const] : [],
  )
}

/** States in which an agent does not answer as an ordinary one does, whatever is sent to it. */
const ofAgents: readonly StateId[] = ['chat.paused', 'plan.disallows']

/** The plain and the second agent answer any message; the ordinary keys are good for any turn. */
const standing: Rule = (target, _, reading) => {
  const { plain, second, principals } = { ...target.agents, ...target }
  for (const [state, { agent, principal: name }] of fixturesOf(target)) {
    const role = agent === plain ? 'plain' : agent === second ? 'second' : null
    if (agent && role && name === undefined && ofAgents.includes(state))
      complain(
        ['states', state, 'agent'],
        `is agents.${role}, which answers any message and so is not in that state; name another agent`,
        reading,
      )
    const key = principals.find((principal) => principal.name === name)
    if (agent && key && !mayCall(key, agent))
      complain(
        ['states', state, 'agent'],
        `is ${agent}, which the key "${name}" may not call; name one of principals.${name}.agents, or add it there`,
        reading,
      )
    if (key?.revoked)
      complain(
        ['states', state, 'principal'],
        `is "${name}", which is revoked and so is in no state; name another`,
        reading,
      )
  }
}

const receiver: Rule = ({ receiver: { mode, development }, session }, _, reading) => {
  if (mode === 'none') return
  if (session === null)
    complain(
      ['receiver', 'mode'],
      `is ${mode}, but only a signed-in user makes webhooks, and none is declared; add session.headers`,
      reading,
    )
  if (mode === 'loopback' && !development)
    complain(
      ['receiver', 'mode'],
      'is loopback, but a service delivers to its own machine in development only; set receiver.development, or make it public',
      reading,
    )
}

/** Of one turn only one of these can be the case. */
const exclusive: readonly StateId[] = [
  'chat.paused',
  'plan.disallows',
  'workflow.current',
  'stream.error',
  'server.500',
  'server.503',
  'credits.exhausted',
  'rate.limited',
]

/** The same agent, message and principal in two states of which one keeps the other out. */
const pairs: Rule = (target, _, reading) => {
  const fixtures = fixturesOf(target)
  fixtures.forEach(([state, fixture], i) => {
    const earlier = fixtures.slice(0, i).find(([other, against]) => {
      const agentWide = ofAgents.includes(state) || ofAgents.includes(other)
      const both = agentWide || (exclusive.includes(state) && exclusive.includes(other))
      return both && isSame(fixture, against, agentWide)
    })
    if (earlier)
      complain(
        ['states', state],
        `is provided by the fixture of states.${earlier[0]}, and both cannot be; name another`,
        reading,
      )
  })
}

function isSame(one: Fixture, other: Fixture, anyMessage: boolean): boolean {
  if (one.agent === '' || one.agent !== other.agent || one.principal !== other.principal) return false
  return anyMessage || one.message === other.message
}

/** Throws a ConfigurationError with every problem found, each with its line where there is one. */
export const loadTarget = (path: string, env: Environment): Target => parseTarget(textOf(path), path, env)

function textOf(path: string): string {
  const { text, problem } = readNamed(path)
  if (text === undefined) throw new ConfigurationError(`target file ${path}: ${problem}`)
  return text
}

/** Parts of a target file for which nothing is sent. No secret and no state that the file refers to has to be there. */
function loadParts<T>(path: string, env: Environment, inFile: (file: TargetFile, reading: Reading) => T): T {
  const { sourced, problems } = overridden(readYaml(textOf(path), path), env)
  const shape = shapeOf(
    sourced,
    ([key = '']) => Object.hasOwn(namedIn(rootNode), key) && !unsecret.includes(key),
  )
  const found = [...problems, ...('problems' in shape ? shape.problems : [])]
  if (found.length > 0) throw new ConfigurationError(...found)
  const reading = { sourced, env, folder: dirname(path), today: utcDay(), problems: found, referred: [] }
  const parts = inFile(sourced.value as TargetFile, reading)
  if (found.length > 0) throw new ConfigurationError(...found)
  return parts
}

const unsecret: readonly unknown[] = ['apiVersion', 'target', 'dialect', 'policy', 'contract']

const utcDay = (): string => realClock().wall().slice(0, 10)

/** The vendor's word of a target file. */
export const loadVendor = (path: string, env: Environment): Pick<Target, 'vendor' | 'identifiers'> =>
  loadParts(path, env, ({ target }, reading) => vendorInFile(target, reading))

/** What judges need. */
export const loadBasis = (path: string, env: Environment) =>
  loadParts(path, env, (file, reading) => ({
    ...vendorInFile(file.target, reading),
    ...judgingIn(file, reading),
  }))

/**
 * `path` names the file in messages, and what `file:` values are relative to. `env` may override what it says.
 * `today`: ISO date.
 */
export function parseTarget(text: string, path: string, env: Environment, today: string = utcDay()): Target {
  const { sourced, problems: unfit } = overridden(readYaml(text, path), env)
  const literal = literalKeys(sourced.value)
  const problems = [
    ...unfit,
    ...literal.map(
      (at) =>
        `${sourced.at(at)}: ${at.join('.')} is an API key written out; give it as env:NAME or file:path`,
    ),
  ]
  const reported = new Set(literal.map((path) => path.join('.')))
  const shape = shapeOf(sourced, (place) => reported.has(place.join('.')))
  if ('problems' in shape) problems.push(...shape.problems)
  const file = 'file' in shape ? shape.file : repaired(sourced)
  if (!file) throw new ConfigurationError(...problems)
  const reading: Reading = { sourced, env, folder: dirname(path), today, problems, referred: [] }
  const target = resolveTarget(file, reading)
  for (const rule of [replicas, agents, accounts, features, standing, pairs, receiver, operations])
    rule(target, file, reading)
  const missing = unmentioned({ ...target.states, ...(at(sourced.value as Json, '/states') as object) })
  if (missing.length > 0) problems.push(`${sourced.at(['states'])}: ${stanzaFor(missing)}`)
  if (problems.length > 0)
    throw new ConfigurationError(...problems.map((one) => unsaid(one, reading.referred)))
  // Names, agents and addresses are no secrets: every report has them.
  const ids = new Set([...Object.values(target.agents), ...target.fixtures.operations.map(({ id }) => id)])
  return {
    ...target,
    fileDigest: digestOf({ ...(sourced.value as object), policy: undefined }),
    referred: reading.referred
      .filter(({ value }) => !ids.has(value))
      .filter(
        ({ path: [part, name], value }) =>
          part !== 'agents' && name !== 'name' && name !== 'version' && baseUrlProblem(value) !== null,
      )
      .flatMap(({ path, reference, value }) =>
        partsOf(value).map((part) => ({
          name: path.join('.'),
          value: part,
          ...(part === value && { reference }),
        })),
      ),
  }
}

/** A message says the reference, never what it led to. */
function unsaid(problem: string, referred: readonly Referred[]): string {
  return referred.reduce((text, { value, reference }) => text.replaceAll(value, () => reference), problem)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Of an address with credentials, these too: they are sent apart from it. */
function partsOf(value: string): readonly string[] {
  const { username = '', password = '' } = URL.parse(value) ?? {}
  if (password === '') return [value]
  const [user, secret] = [username, password].map(decoded)
  return [value, `${user}:${secret}`, secret ?? password]
}

/**
 * Of what it says, overrides of the environment included: layout, comments and its schema change nothing. Its policy is
 * stored beside the run, and says nothing of the target.
 */
function digestOf(said: unknown): string {
  const text = JSON.stringify(said, (name, value: unknown) => (name === '$schema' ? undefined : value))
  return createHash('sha256').update(text).digest('hex')
}
