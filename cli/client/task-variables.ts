/** The command of a client or receiver: its words, and the task of a step as variables and placeholders in them. */
import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { Secret } from '../../bundle/redaction/redaction.ts'
import { contractIdentifiers, type Identifiers } from '../../spec/identifiers.ts'
import type { Assignment } from '../../suites/clients/execution/task.ts'
import { nearest } from '../../spec/nearest.ts'
import type { Io } from '../io.ts'
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

/** Throws a UsageError if no file of this name can be executed. */
export function mustBeProgram(program: string, env: Io['env']): void {
  const places = /[/\\]/.test(program)
    ? [program]
    : (env['PATH'] ?? '').split(delimiter).map((folder) => join(folder || '.', program))
  // Windows adds an extension to the name.
  if (process.platform !== 'win32' && !places.some(isProgram))
    throw new UsageError(
      `${program}: there is no such executable; check its name, or put its interpreter before it.`,
    )
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

const secretOption = /(key|token|secret|passw(or)?d|credential|auth)s?$/i
const option = /^(--?[\w.-]+)[=:](.+)$/s
const placeholder = /^\{[a-z_]+\}$/
/** Shorter values are ordinary words. */
const shortest = 8

/** Values of options with secret names, and of environment variables with secret names. */
export function secretsIn(words: readonly string[], env: Io['env']): readonly Secret[] {
  const named = words.flatMap((word, at) => valueIn(word) ?? valueIn(words[at - 1] ?? '', word) ?? [])
  const variables = Object.entries(env).flatMap(([name, value = '']) =>
    secretOption.test(name) && value !== '' && words.some((word) => word.includes(value)) ? [value] : [],
  )
  return [...new Set([...named, ...variables])]
    .filter((value) => value.length >= shortest && !placeholder.test(value))
    .map((value, at) => ({ name: `command:${at + 1}`, value }))
}

/** The value of `--token=x`, or of `--token` where `next` is what follows it. */
function valueIn(word: string, next?: string): string | undefined {
  const [, name = '', value] = option.exec(word) ?? []
  if (next === undefined) return secretOption.test(name) ? value : undefined
  return /^--?[\w.-]+$/.test(word) && secretOption.test(word) ? next : undefined
}

/** Without secrets. */
export const shownWords = (words: readonly string[]): readonly string[] =>
  words.map((word, at) => {
    const value = valueIn(word)
    if (value !== undefined) return `${word.slice(0, -value.length)}…`
    return valueIn(words[at - 1] ?? '', word) === undefined || placeholder.test(word) ? word : '…'
  })
