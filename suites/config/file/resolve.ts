/** From a file as it is written to a target: names and secrets looked up, defaults filled in. */
import { resolve } from 'node:path'
import { scopes as contractScopes, type StateId } from '../../../spec/index.ts'
import { suggestion } from '../../../spec/nearest.ts'
import { contractOf } from '../../policy/clause-set-file.ts'
import { policyIn } from '../../policy/file.ts'
import { defaultBudgets, defaultTiming, undeclared, defaultReceiver } from '../defaults.ts'
import { doneWithinPlaces, fixturesIn, headersAt, serviceIn, legacyIn } from '../sections/service.ts'
import {
  address,
  complain,
  headerValueAt,
  mapped,
  valueAt,
  type Reading,
  named,
  type YamlPath,
} from './source-map.ts'
import { eventsNamed, unsupportedStates, waysOf, provisionProblems } from '../states.ts'
import type {
  Target,
  Principal,
  Receiver,
  TargetFile,
  WrittenPrincipal,
  WrittenHook,
  WrittenProvision,
  WrittenRequest,
} from '../target.ts'
import { resolverIn } from '../sections/resolver.ts'
import type { HttpHook, Provide, Provision, InState } from '../provided.ts'
import { withReferences } from '../template.ts'

interface Place {
  path: YamlPath
  file: TargetFile
  ids: Readonly<Record<string, string>>
  reading: Reading
}

type Written = WrittenProvision

function provision(
  state: StateId,
  path: YamlPath,
  written: WrittenProvision,
  file: TargetFile,
  ids: Readonly<Record<string, string>>,
  reading: Reading,
): Provision {
  const problems = provisionProblems(state, written, file)
  for (const problem of problems) complain(path, problem, reading)
  if (problems.length > 0) return { provide: 'none', why: '' }
  const place = { path, file, ids, reading }
  return { ...readers[written.provide](written, place), ...subjectOf(written, place) }
}

const defaultSeconds = { hook: 20, person: 300 }

const readers: Readonly<Record<Provide, (written: Written, place: Place) => Provision>> = {
  wire: () => ({ provide: 'wire' }),
  control: () => ({ provide: 'control' }),
  none: ({ why = '' }) => ({ provide: 'none', why }),
  attest: ({ by = '', on = '', note = '' }) => ({ provide: 'attest', by, on, note }),
  fixture: () => ({ provide: 'fixture' }),
  http,
  exec,

  manual: ({ instruction = '', undo, timeoutSeconds = defaultSeconds.person }) => ({
    provide: 'manual',
    instruction,
    ...(undo === undefined ? {} : { undo }),
    timeoutSeconds,
  }),
}

function subjectOf(
  { agent, message, principal, session }: WrittenProvision,
  { path, file, ids, reading }: Place,
): InState {
  if (principal !== undefined)
    named(principal, mapped(file.principals, String), [...path, 'principal'], reading)
  if (session !== undefined)
    named(session, mapped(file.sessions ?? {}, String), [...path, 'session'], reading)
  return {
    ...(agent === undefined ? {} : { agent: named(agent, ids, [...path, 'agent'], reading) }),
    ...(message === undefined ? {} : { message }),
    ...(principal === undefined ? {} : { principal }),
    ...(session === undefined ? {} : { session }),
  }
}

function http({ enter, leave, timeoutSeconds = defaultSeconds.hook }: Written, place: Place): Provision {
  const secrets: string[] = []
  const request = (hook: WrittenHook | undefined, name: string): HttpHook | null =>
    hook && 'url' in hook ? requestOf(hook, { ...place, path: [...place.path, name] }, secrets) : null
  const [entering, leaving] = [request(enter, 'enter'), request(leave, 'leave')]
  if (!entering) return { provide: 'none', why: 'no request' }
  return {
    provide: 'http',
    enter: entering,
    ...(leaving ? { leave: leaving } : {}),
    timeoutSeconds,
    secrets: secrets.filter((value) => !isPublic(value, place)),
  }
}

function requestOf(
  { method, url, headers = {}, json, expect = [200, 204] }: WrittenRequest,
  { path, reading }: Place,
  secrets: string[],
): HttpHook {
  const look = (written: string, ...at: YamlPath): string => {
    const found = (reference: string): string => {
      const value = valueAt(reference, [...path, ...at], reading)
      if (value !== reference && value !== '') secrets.push(value)
      return value
    }
    const whole = found(written)
    return whole === written ? withReferences(written, found) : whole
  }
  const known = reading.problems.length
  const address = look(url, 'url')
  if (reading.problems.length === known && !/^https?:\/\/[^/{]/.test(address))
    complain([...path, 'url'], 'is no http address; give one such as https://admin.example/agents', reading)
  return {
    method,
    url: address,
    headers: headersAt(headers, [...path, 'headers'], reading, (value, name) => look(value, 'headers', name)),
    ...(json === undefined ? {} : { json: inside(json, ['json'], look) }),
    expect,
  }
}

function inside(value: unknown, path: YamlPath, look: (written: string, ...at: YamlPath) => string): unknown {
  if (typeof value === 'string') return look(value, ...path)
  if (Array.isArray(value)) return value.map((item, i) => inside(item, [...path, i], look))
  if (typeof value !== 'object' || value === null) return value
  return mapped<unknown, unknown>({ ...value }, (item, name) => inside(item, [...path, name], look))
}

function exec(
  { enter, leave, timeoutSeconds = defaultSeconds.hook, environment = [] }: Written,
  place: Place,
): Provision {
  const { path, reading } = place
  const look = (name: string, i: number): readonly [string, string] =>
    [name, valueAt(`env:${name}`, [...path, 'environment', i], reading)] as const
  const declared = environment.map(look)
  const { PATH = '' } = reading.env
  return {
    provide: 'exec',
    enter: argvOf(enter),
    ...(leave === undefined ? {} : { leave: argvOf(leave) }),
    timeoutSeconds,
    environment: { PATH, ...Object.fromEntries(declared) },
    folder: resolve(reading.folder),
    secrets: declared.map(([, value]) => value).filter((value) => value !== '' && !isPublic(value, place)),
  }
}

function argvOf(hook: WrittenHook | undefined): readonly string[] {
  return hook && !('url' in hook) ? hook : []
}

/** Ids and addresses are no secrets: every report has them. */
function isPublic(value: string, { ids, reading, file }: Place): boolean {
  const address = valueAt(file.target.baseUrl, ['target', 'baseUrl'], { ...reading, problems: [] })
  return value === address || Object.values(ids).includes(value)
}

/** The scenarios send these members themselves, and judge what becomes of them. */
const ownMembers: readonly string[] = ['name', 'endpoint_url', 'events', 'description', 'custom_headers']
/** They say who sends, which differs from request to request. */
const senderHeaders: readonly string[] = ['authorization', 'cookie']

function webhookCreationIn({ webhooks }: TargetFile, reading: Reading): Pick<Target, 'webhookCreation'> {
  const { headers = {}, members = {} } = webhooks?.create ?? {}
  if (Object.keys(headers).length + Object.keys(members).length === 0) return {}
  const path = ['webhooks', 'create'] as const
  for (const name of Object.keys(members).filter((one) => ownMembers.includes(one)))
    complain([...path, 'members', name], 'is sent by the suite itself; take it out', reading)
  for (const name of Object.keys(headers).filter((one) => senderHeaders.includes(one.toLowerCase())))
    complain([...path, 'headers', name], 'says who sends; give it under session.headers', reading)
  return { webhookCreation: { headers: headersAt(headers, [...path, 'headers'], reading), members } }
}

const at = (name: keyof Receiver) => ['receiver', name] as const

function receiverIn({ receiver = {} }: TargetFile, reading: Reading): Receiver {
  const { publicUrl } = receiver
  const whole: Receiver = {
    ...defaultReceiver,
    ...receiver,
    resolver: receiver.resolver === undefined ? null : resolverIn(receiver.resolver, receiver, reading),
    publicUrl:
      publicUrl == null ? null : secureAddress(valueAt(publicUrl, at('publicUrl'), reading), reading),
  }
  if (whole.mode === 'public' && whole.publicUrl === null)
    complain(at('mode'), 'is public, but no address is given; add receiver.publicUrl', reading)
  if (whole.mode !== 'public' && whole.publicUrl !== null)
    complain(at('publicUrl'), `is given, but receiver.mode is ${whole.mode}; make it public`, reading)
  return whole
}

function secureAddress(url: string, reading: Reading): string {
  const place = address(url, at('publicUrl'), reading)
  if (place.startsWith('http:'))
    complain(at('publicUrl'), `is "${url}"; give an https address, as endpoints have to have`, reading)
  return place
}

/** What is wrong is noted in `reading`; the target is of use only where nothing is. */
export function resolveTarget(file: TargetFile, reading: Reading): Target {
  const ids = mapped(file.agents, (id, agent) => valueAt(id, ['agents', agent], reading))
  const { plain = '', second } = ids
  const ways = Object.entries(waysIn(file, ids, reading))
  const several = ways.filter(([, { length }]) => length > 1)
  const features = { ...undeclared.features, ...file.features }
  return {
    ...serviceIn(file, reading),
    principals: principalsIn(file, ids, reading),
    session: file.session
      ? { headers: headersAt(file.session.headers, ['session', 'headers'], reading) }
      : null,
    sessions: mapped(file.sessions ?? {}, ({ headers, ended }, name) => ({
      headers: headersAt(headers, ['sessions', name, 'headers'], reading),
      ...(ended ? { ended } : {}),
    })),
    ...webhookCreationIn(file, reading),
    legacy: legacyIn(file, ids, reading),
    agents: second === undefined ? { plain } : { plain, second },
    fixtures: fixturesIn(file, ids, reading),
    features,
    states: {
      ...unsupportedStates(features),
      ...Object.fromEntries(ways.map(([state, [first]]) => [state, first])),
    },
    doneWithinPlaces: doneWithinPlaces(file, reading),
    statePlaces: mapped(file.states, (_, state) => reading.sourced.at(['states', state])),
    furtherStates: Object.fromEntries(several.map(([state, [, ...others]]) => [state, others])),
    control: controlIn(file, reading),
    receiver: receiverIn(file, reading),
    budgets: { ...defaultBudgets, ...file.budgets },
    optIn: file.optIn ?? [],
    readOnly: file.readOnly ?? false,
    profile: file.profile ?? 'standard',
    exclusiveCredits: file.exclusiveCredits ?? false,
    timing: timingIn(file, reading),
    ...judgingIn(file, reading),
  }
}

/** What judges need, for which no secret is read. */
export function judgingIn(
  { dialect = {}, policy, contract }: TargetFile,
  reading: Reading,
): Pick<Target, 'dialect' | 'policy' | 'contract'> {
  return {
    dialect,
    policy: policyIn(policy, reading),
    ...(contract === undefined ? {} : { contract: contractOf(contract) }),
  }
}

function waysIn(
  file: TargetFile,
  ids: Readonly<Record<string, string>>,
  reading: Reading,
): Readonly<Record<string, readonly Provision[]>> {
  const ways = mapped(file.states, (written, state) =>
    waysOf(state, written, reading).map((way, i, { length }) =>
      provision(state as StateId, ['states', state, ...(length > 1 ? [i] : [])], way, file, ids, reading),
    ),
  )
  return eventsNamed(ways)
}

function controlIn({ control }: TargetFile, reading: Reading): Target['control'] {
  if (!control) return null
  const { url, token } = control
  return {
    url: address(valueAt(url, ['control', 'url'], reading), ['control', 'url'], reading),
    token: token === undefined ? null : headerValueAt(token, ['control', 'token'], reading),
  }
}

function timingIn(file: TargetFile, reading: Reading): Target['timing'] {
  const timing = { ...defaultTiming, ...file.timing }
  if (timing.clock === 'control' && !file.control)
    complain(['timing', 'clock'], 'is control, but no control is declared; add control.url', reading)
  return timing
}

function principalsIn(
  file: TargetFile,
  ids: Readonly<Record<string, string>>,
  reading: Reading,
): readonly Principal[] {
  const principals = Object.entries(file.principals).map(([name, written]) =>
    principal(name, written, ids, [...contractScopes, ...(file.dialect?.scopes ?? [])], reading),
  )
  // Two principals with one key would be held for two callers, each with a rate and rights of its own.
  const owners = new Map<string, string>()
  for (const { name, bearer, pool = [] } of principals)
    [bearer, ...pool].forEach((key, i) => {
      const path = ['principals', name, ...(i === 0 ? ['bearer'] : ['pool', i - 1])]
      const owner = owners.get(key)
      if (key !== '' && owner !== undefined)
        complain(path, `is the same key as ${owner}; give another, or take one out`, reading)
      else owners.set(key, path.join('.'))
    })
  return principals
}

function principal(
  name: string,
  written: WrittenPrincipal,
  ids: Readonly<Record<string, string>>,
  known: readonly string[],
  reading: Reading,
): Principal {
  const { scopes, agents = '*', account = 'main', sacrificial = false, revoked = false, pool } = written
  const own = ['principals', name] as const
  for (const scope of scopes.filter((one) => !known.includes(one))) {
    const advice = `${suggestion(scope, known)}; declare one of your own under dialect.scopes`
    complain([...own, 'scopes', scopes.indexOf(scope)], `is "${scope}"; ${advice}`, reading)
  }
  if (sacrificial && revoked)
    complain(own, 'is sacrificial and revoked, and a revoked key has no rate; take one out', reading)
  return {
    name,
    bearer: headerValueAt(written.bearer, [...own, 'bearer'], reading),
    ...(/^(env|file):/.test(written.bearer) ? { source: written.bearer } : {}),
    scopes,
    agents:
      agents === '*' ? agents : agents.map((agent, i) => named(agent, ids, [...own, 'agents', i], reading)),
    account,
    sacrificial,
    ...(revoked ? { revoked } : {}),
    ...(pool ? { pool: pool.map((key, i) => headerValueAt(key, [...own, 'pool', i], reading)) } : {}),
  }
}
