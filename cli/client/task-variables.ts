/** The task of a step as environment variables, placeholders and words of a command line. */
import { contractIdentifiers, type Identifiers } from '../../spec/identifiers.ts'
import type { Assignment } from '../../suites/clients/execution/task.ts'
import { nearest } from '../../spec/nearest.ts'
import { alternatives } from '../nearest.ts'
import { UsageError } from '../usage-error.ts'

/** By placeholder name; undefined if the task has no such member. */
export type TaskValues = Readonly<Record<string, string | undefined>>

/** Members of the task; each is a placeholder in snake case. */
const ofRequests = [
  'message',
  'idempotencyKey',
  'conversationId',
  'interaction',
  'read',
  'limit',
  'operation',
  'input',
]
const ofUploads = ['kind', 'fileName', 'contentType', 'content', 'prepareKey', 'finalizeKey']
const members = [...ofRequests, ...ofUploads]
const snake = (member: string): string => member.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const names: readonly string[] = ['base_url', 'api_key', 'agent', 'action', 'task', ...members.map(snake)]

export function taskValues({ service, task }: Pick<Assignment, 'service' | 'task'>): TaskValues {
  const given: Readonly<Record<string, unknown>> = { ...task }
  return {
    base_url: service.baseUrl,
    api_key: service.apiKey,
    agent: service.agent,
    action: task.do,
    task: JSON.stringify(task),
    ...Object.fromEntries(
      members.map((member) => [
        snake(member),
        given[member] === undefined ? undefined : textOrJson(given[member]),
      ]),
    ),
  }
}

export const textOrJson = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value)

/** Overrides for an environment; variables that the task does not use are removed. */
export function variablesOf(
  values: TaskValues,
  { baseUrlVariable, apiKeyVariable }: Identifiers = contractIdentifiers,
): Record<string, string | undefined> {
  const own: Readonly<Record<string, string>> = { base_url: baseUrlVariable, api_key: apiKeyVariable }
  return Object.fromEntries(
    names.map((name) => [own[name] ?? `TOUCHSTONE_${name.toUpperCase()}`, values[name]]),
  )
}

export function checkPlaceholders(words: readonly string[]): void {
  for (const [whole, name = ''] of words.flatMap((word) => [...word.matchAll(/\{([a-z_]+)\}/g)])) {
    const meant = names.includes(name) ? undefined : nearest(name, names)
    if (meant !== undefined)
      throw new UsageError(`${whole}: there is no such placeholder; did you mean {${meant}}?`)
  }
}

/** Replaces placeholders; one without a value becomes empty, other braces stay. */
export const fillPlaceholders = (words: readonly string[], values: TaskValues): readonly string[] =>
  words.map((word) =>
    word.replaceAll(/\{([a-z_]+)\}/g, (whole, name: string) =>
      Object.hasOwn(values, name) ? (values[name] ?? '') : whole,
    ),
  )

/** Names of commands that the contract does not show: what the program calls them. */
const verbs = ['chat', 'execute', 'login', 'whoami'] as const
export type Verbs = Readonly<Record<string, readonly string[]>>

/** From `verb=words`, such as `login=auth save`. Throws a UsageError. */
export const verbsFrom = (given: readonly string[]): Verbs =>
  Object.fromEntries(
    given.map((one) => {
      const [, name = '', said = ''] = /^([^=]*)=(.*)$/s.exec(one) ?? []
      const words = said.split(' ').filter((word) => word !== '')
      if (!verbs.some((verb) => verb === name))
        throw new UsageError(
          `--verb ${one}: give NAME=WORDS, such as login='auth save'; ${alternatives(name, verbs)}`,
        )
      if (words.length === 0)
        throw new UsageError(`--verb ${one}: the value is empty; give the program's name for it.`)
      return [name, words]
    }),
  )

export const translateVerb = (verbs: Verbs, [verb = '', ...words]: readonly string[]): readonly string[] => [
  ...(verbs[verb] ?? [verb]),
  ...words,
]
