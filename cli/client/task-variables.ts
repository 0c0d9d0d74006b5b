/** The task of a step as environment variables and placeholders. */
import { contractIdentifiers, type Identifiers } from '../../spec/identifiers.ts'
import type { Assignment } from '../../suites/clients/execution/task.ts'
import { nearest } from '../../suites/config/file/nearest.ts'
import { UsageError } from '../usage-error.ts'

/** By placeholder name; undefined if the task has no such member. */
export type TaskValues = Readonly<Record<string, string | undefined>>

/** Placeholder names by member of the task. */
const members = {
  message: 'message',
  idempotencyKey: 'idempotency_key',
  conversationId: 'conversation_id',
  interaction: 'interaction',
  read: 'read',
  limit: 'limit',
  operation: 'operation',
  input: 'input',
  kind: 'kind',
  fileName: 'file_name',
  contentType: 'content_type',
  content: 'content',
  prepareKey: 'prepare_key',
  finalizeKey: 'finalize_key',
} as const

const always = ['base_url', 'api_key', 'agent', 'action', 'task'] as const
const names: readonly string[] = [...always, ...Object.values(members)]

export function taskValues({ service, task }: Pick<Assignment, 'service' | 'task'>): TaskValues {
  const given: Readonly<Record<string, unknown>> = { ...task }
  return {
    base_url: service.baseUrl,
    api_key: service.apiKey,
    agent: service.agent,
    action: task.do,
    task: JSON.stringify(task),
    ...Object.fromEntries(Object.entries(members).map(([member, name]) => [name, spelled(given[member])])),
  }
}

/** A text, or JSON. */
function spelled(value: unknown): string | undefined {
  return typeof value === 'string' || value === undefined ? value : JSON.stringify(value)
}

function variableOf(name: string, { baseUrlVariable, apiKeyVariable }: Identifiers): string {
  if (name === 'base_url') return baseUrlVariable
  return name === 'api_key' ? apiKeyVariable : `TOUCHSTONE_${name.toUpperCase()}`
}

/** Overrides for an environment; variables that the task does not use are removed. */
export function variablesOf(
  values: TaskValues,
  identifiers: Identifiers = contractIdentifiers,
): Record<string, string | undefined> {
  return Object.fromEntries(names.map((name) => [variableOf(name, identifiers), values[name]]))
}

/** Throws a UsageError for a misspelled placeholder. */
export function checkPlaceholders(words: readonly string[]): void {
  for (const [whole, name = ''] of words.flatMap((word) => [...word.matchAll(/\{([a-z_]+)\}/g)])) {
    const meant = names.includes(name) ? undefined : nearest(name, names)
    if (meant !== undefined)
      throw new UsageError(`${whole}: there is no such placeholder; did you mean {${meant}}?`)
  }
}

/** Replaces placeholders; one without a value becomes empty, other braces stay. */
export function fillPlaceholders(words: readonly string[], values: TaskValues): readonly string[] {
  return words.map((word) =>
    word.replaceAll(/\{([a-z_]+)\}/g, (whole, name: string) =>
      Object.hasOwn(values, name) ? (values[name] ?? '') : whole,
    ),
  )
}
