/** Reads a target file: YAML, held against its schema, with references and secrets looked up. */
import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { StateId } from '../../spec/index.ts'
import { ConfigurationError } from './configuration-error.ts'
import { defaultBudgets, defaultTiming, emptyPolicy } from './defaults.ts'
import { provision } from './provision.ts'
import { address, mapped, named, valueAt, type Reading } from './reading.ts'
import { literalKeys, type Environment } from './secrets.ts'
import { shapeOf } from './shape.ts'
import { readYaml, type Path } from './source-map.ts'
import { stanzaFor, unmentioned } from './states.ts'
import type { Principal, Target } from './target.ts'
import type { TargetFile } from './written.ts'

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

function timing(file: TargetFile, { sourced, problems }: Reading): Target['timing'] {
  const timing = { ...defaultTiming, ...file.timing }
  if (timing.clock === 'control' && !file.control)
    problems.push(
      `${sourced.at(['timing', 'clock'])}: timing.clock is control, but no control is declared; add control.url`,
    )
  return timing
}
