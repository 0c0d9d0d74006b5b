/** Reads a target file: YAML, held against its schema, with references and secrets looked up. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { ConfigurationError } from '../configuration-error.ts'
import { contradictions } from './contradictions.ts'
import { overridden } from './overrides.ts'
import { resolveTarget } from './resolve.ts'
import { literalKeys, lookUp, textsIn, type Environment } from './secrets.ts'
import { shapeOf } from './shape.ts'
import { readYaml, type Sourced } from './source-map.ts'
import { readProblem } from './unreadable.ts'
import { stanzaFor, unmentioned } from '../states.ts'
import type { Target } from '../target.ts'
import { realClock } from '../../wire/clock.ts'

/** Throws a ConfigurationError with every problem found, each with its line where there is one. */
export function loadTarget(path: string, env: Environment): Target {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    throw new ConfigurationError(`target file ${path}: ${readProblem(path, error)}`)
  }
  return parseTarget(text, path, env)
}

/**
 * `path` names the file in messages, and what `file:` values are relative to. `env` may override what it says.
 * `today`: ISO date.
 */
export function parseTarget(
  text: string,
  path: string,
  env: Environment,
  today: string = realClock().wall().slice(0, 10),
): Target {
  const { sourced, problems: unfit } = overridden(readYaml(text, path), env)
  const literal = literalKeys(sourced.value)
  const problems = [
    ...unfit,
    ...literal.map(
      (at) =>
        `${sourced.at(at)}: ${at.join('.')} is an API key written out; give it as env:NAME or file:path`,
    ),
  ]
  const shape = shapeOf(sourced, literal)
  if ('problems' in shape)
    throw new ConfigurationError(...problems, ...shape.problems, ...unsetVariables(sourced, env))
  const reading = { sourced, env, folder: dirname(path), today, problems }
  const target = resolveTarget(shape.file, reading)
  contradictions(target, shape.file, reading)
  const missing = unmentioned(target.states)
  if (missing.length > 0) problems.push(`${sourced.at(['states'])}: ${stanzaFor(missing)}`)
  if (problems.length > 0) throw new ConfigurationError(...problems)
  return { ...target, fileDigest: digestOf(sourced.value) }
}

/** Of a file whose shape is wrong: its references are otherwise looked up only when the shape is right. */
function unsetVariables(sourced: Sourced, env: Environment): readonly string[] {
  return textsIn(sourced.value).flatMap(([path, text]) => {
    if (!/^env:\w+$/.test(text)) return []
    const found = lookUp(text, env, '')
    return 'problem' in found ? [`${sourced.at(path)}: ${path.join('.')}: ${found.problem}`] : []
  })
}

/** Of what it says, overrides of the environment included: layout, comments and its schema change nothing. */
function digestOf(said: unknown): string {
  const text = JSON.stringify(said, (name, value: unknown) => (name === '$schema' ? undefined : value))
  return createHash('sha256').update(text).digest('hex')
}
