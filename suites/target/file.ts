/** Reads a target file: YAML, held against its schema, with references and secrets looked up. */
import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { StateId } from '../../spec/index.ts'
import { ConfigurationError } from './configuration-error.ts'
import { defaultBudgets, defaultTiming, emptyPolicy } from './defaults.ts'
import { suggestion } from './nearest.ts'
import { literalKeys, lookUp, type Environment } from './secrets.ts'
import { shapeOf, type TargetFile, type WrittenProvision } from './shape.ts'
import { readYaml, type Path, type Sourced } from './source-map.ts'
import { provisionProblem, stanzaFor, unmentioned } from './states.ts'
import type { Principal, Provision, Target } from './target.ts'

/** Throws a ConfigurationError with every problem found, each with its line where there is one. */
export function loadTarget(path: string, env: Environment): Target {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    throw new ConfigurationError(`the target file ${path} cannot be read; give the path of one`)
  }
  return parseTarget(text, path, env)
}

/** `path` names the file in messages, and what `file:` values are relative to. */
export function parseTarget(text: string, path: string, env: Environment): Target {
  const sourced = readYaml(text, path)
  const literal = literalKeys(sourced.value).map(
    (at) => `${sourced.at(at)}: ${at.join('.')} is an API key written out; give it as env:NAME or file:path`,
  )
  if (literal.length > 0) throw new ConfigurationError(...literal)
  const shape = shapeOf(sourced)
  if ('problems' in shape) throw new ConfigurationError(...shape.problems)
  const problems: string[] = []
  const target = resolved(shape.file, { sourced, env, folder: dirname(path), problems })
  const missing = unmentioned(shape.file.states)
  if (missing.length > 0) problems.push(`${sourced.at(['states'])}: ${stanzaFor(missing)}`)
  if (problems.length > 0) throw new ConfigurationError(...problems)
  return target
}

interface Reading {
  sourced: Sourced
  env: Environment
  folder: string
  problems: string[]
}

function resolved(file: TargetFile, reading: Reading): Target {
  const value = (written: string, ...path: Path): string => valueAt(written, path, reading)
  const { name, kind, baseUrl, headers = {} } = file.target
  const ids = mapped(file.agents, (id, agent) => value(id, 'agents', agent))
  const agentId = (agent: string, ...path: Path): string => named(agent, ids, path, reading)
  const { plain = '', second } = ids
  return {
    name,
    kind,
    baseUrl: address(value(baseUrl, 'target', 'baseUrl'), ['target', 'baseUrl'], reading),
    headers: Object.entries(headers).map(([header, written]) => [
      header,
      value(written, 'target', 'headers', header),
    ]),
    principals: Object.entries(file.principals).map(([principal, written]): Principal => {
      const { bearer, scopes, agents = '*', account = 'main', sacrificial = false } = written
      const own = ['principals', principal] as const
      const reach = agents === '*' ? agents : agents.map((agent, i) => agentId(agent, ...own, 'agents', i))
      const key = value(bearer, ...own, 'bearer')
      return { name: principal, bearer: key, scopes, agents: reach, account, sacrificial }
    }),
    agents: second === undefined ? { plain } : { plain, second },
    states: Object.fromEntries(
      Object.entries(file.states).map(([state, written]) => [
        state,
        provision(state as StateId, written, file, ids, reading),
      ]),
    ),
    control: file.control
      ? {
          url: address(value(file.control.url, 'control', 'url'), ['control', 'url'], reading),
          token: file.control.token === undefined ? null : value(file.control.token, 'control', 'token'),
        }
      : null,
    dialect: file.dialect ?? {},
    budgets: { ...defaultBudgets, ...file.budgets },
    optIn: file.optIn ?? [],
    profile: file.profile ?? 'standard',
    exclusiveCredits: file.exclusiveCredits ?? false,
    timing: timing(file, reading),
    policy: { ...emptyPolicy, ...file.policy },
  }
}

function mapped<T, U>(
  record: Readonly<Record<string, T>>,
  map: (value: T, name: string) => U,
): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value, name)]))
}

function valueAt(written: string, path: Path, { sourced, env, folder, problems }: Reading): string {
  const found = lookUp(written, env, folder)
  if ('value' in found) return found.value
  problems.push(`${sourced.at(path)}: ${path.join('.')}: ${found.problem}`)
  return ''
}

/** The id behind a name of the file. */
function named(
  name: string,
  ids: Readonly<Record<string, string>>,
  path: Path,
  { sourced, problems }: Reading,
): string {
  if (name in ids) return ids[name] ?? ''
  problems.push(
    `${sourced.at(path)}: ${path.join('.')} names "${name}", which is not declared; ${suggestion(name, Object.keys(ids))}`,
  )
  return ''
}

function address(url: string, path: Path, { sourced, problems }: Reading): string {
  const known = url === '' || (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol))
  if (!known)
    problems.push(
      `${sourced.at(path)}: ${path.join('.')} is "${url}"; give an address such as https://host/path`,
    )
  return url.replace(/\/+$/, '')
}

function timing(file: TargetFile, { sourced, problems }: Reading): Target['timing'] {
  const timing = { ...defaultTiming, ...file.timing }
  if (timing.clock === 'control' && !file.control)
    problems.push(
      `${sourced.at(['timing', 'clock'])}: timing.clock is control, but no control is declared; add control.url`,
    )
  return timing
}

function provision(
  state: StateId,
  written: WrittenProvision,
  file: TargetFile,
  ids: Readonly<Record<string, string>>,
  reading: Reading,
): Provision {
  const path = ['states', state] as const
  const problem = provisionProblem(state, written, file)
  if (problem !== null) reading.problems.push(`${reading.sourced.at(path)}: states.${state} ${problem}`)
  const { provide, agent, message, principal, why = '' } = written
  if (provide === 'none') return { provide, why }
  if (provide !== 'fixture') return { provide }
  if (principal !== undefined)
    named(principal, mapped(file.principals, String), [...path, 'principal'], reading)
  return {
    provide,
    ...(agent === undefined ? {} : { agent: named(agent, ids, [...path, 'agent'], reading) }),
    ...(message === undefined ? {} : { message }),
    ...(principal === undefined ? {} : { principal }),
  }
}
