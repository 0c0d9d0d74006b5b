/** How one state is provided, with the names in it resolved. */
import { resolve } from 'node:path'
import type { StateId } from '../../../spec/index.ts'
import type { HttpHook, Provide, Provision } from '../provided.ts'
import { complain, mapped, named, valueAt, type Reading } from '../file/reading.ts'
import type { YamlPath } from '../file/source-map.ts'
import { provisionProblem } from '../states.ts'
import { headersAt } from './service.ts'
import { withReferences } from '../template.ts'
import type { TargetFile, WrittenHook, WrittenProvision, WrittenRequest } from '../file/written.ts'

interface Place {
  path: YamlPath
  file: TargetFile
  /** Agent ids by name. */
  ids: Readonly<Record<string, string>>
  reading: Reading
}

type Written<P extends Provide = Provide> = Omit<WrittenProvision, 'provide'> & { provide: P }

export function provision(
  state: StateId,
  written: WrittenProvision,
  file: TargetFile,
  ids: Readonly<Record<string, string>>,
  reading: Reading,
): Provision {
  const path = ['states', state] as const
  const problem = provisionProblem(state, written, file)
  if (problem !== null) {
    complain(path, problem, reading)
    return { provide: 'none', why: problem }
  }
  return readers[written.provide](written, { path, file, ids, reading })
}

/** Seconds, where none are given. */
const defaultSeconds = { hook: 20, person: 300 }

const readers: Readonly<Record<Provide, (written: Written, place: Place) => Provision>> = {
  wire: () => ({ provide: 'wire' }),
  control: () => ({ provide: 'control' }),
  none: ({ why = '' }) => ({ provide: 'none', why }),
  attest: ({ by = '', on = '', note = '' }) => ({ provide: 'attest', by, on, note }),
  fixture,
  http,
  exec,

  manual: ({ instruction = '', undo, timeoutSeconds = defaultSeconds.person }) => ({
    provide: 'manual',
    instruction,
    ...(undo === undefined ? {} : { undo }),
    timeoutSeconds,
  }),
}

function fixture(
  { agent, message, principal, session }: Written,
  { path, file, ids, reading }: Place,
): Provision {
  if (principal !== undefined)
    named(principal, mapped(file.principals, String), [...path, 'principal'], reading)
  if (session !== undefined)
    named(session, mapped(file.sessions ?? {}, String), [...path, 'session'], reading)
  return {
    provide: 'fixture',
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

/** The same value with every text in it looked up. */
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
