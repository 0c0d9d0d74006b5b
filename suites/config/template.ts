/** `{{name}}` in the text of a hook: replaced by values of the scenario when the state is entered. */

export const placeholders = {
  agentId: 'The id of the agent that the scenario uses.',
  principal: 'The name, under `principals`, of the key that it uses.',
  message: 'The message that it sends.',
  idempotencyKey:
    '`key.uncertain`, `operation.uncertain`: the idempotency key whose outcome is to be unknown.',
  conversationId: 'The conversation, where the state is about one.',
  webhookId: '`webhook.inactive`: the webhook that is to be turned off.',
  event: '`event.*`, `no-event.*`: the name of the event that is to happen, or to be come near.',
  operationId: '`task.finished`: the operation that the task is of.',
  decision: '`approval.approved`, `approval.rejected`: which of the two it is to be.',
  approvalId: '`approval.approved`, `approval.rejected`: the approval that is to be decided.',
  taskId: '`task.finished`: the task that is to finish.',
} as const
type TemplateName = keyof typeof placeholders

export const templateNames = Object.keys(placeholders) as readonly TemplateName[]

/** Names whose values the target answered: they may be anything. */
export const answeredNames: readonly TemplateName[] = [
  'conversationId',
  'webhookId',
  'operationId',
  'approvalId',
  'taskId',
]

export type TemplateValues = Readonly<Partial<Record<TemplateName, string>>>

const marks = /\{\{\s*([^{}]*?)\s*\}\}/g

export function templateNamesIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return Array.from(value.matchAll(marks), ([, name = '']) => name)
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(templateNamesIn)
}

/** The value with every name replaced, by nothing if the scenario has no value for it: see `missingNames`. */
export function fillTemplate<T>(
  value: T,
  values: TemplateValues,
  encode: (text: string) => string = (text) => text,
): T {
  const replaced = (one: unknown): unknown => {
    if (typeof one === 'string')
      return one.replaceAll(marks, (_, name: TemplateName) => encode(values[name] ?? ''))
    if (Array.isArray(one)) return one.map(replaced)
    if (typeof one !== 'object' || one === null) return one
    return Object.fromEntries(Object.entries(one).map(([name, inner]) => [name, replaced(inner)]))
  }
  return replaced(value) as T
}

export function withReferences(text: string, look: (reference: string) => string): string {
  return text.replaceAll(marks, (mark, name: string) => (isReference(name) ? look(name) : mark))
}

/** Whether a name between braces is a value from outside, which is known before a run. */
export function isReference(name: string): boolean {
  return /^(?:env|file):./.test(name)
}

export function missingNames(value: unknown, values: TemplateValues): readonly string[] {
  const known: Readonly<Record<string, string | undefined>> = values
  return [...new Set(templateNamesIn(value))].filter((name) => known[name] === undefined)
}

/** What is wrong with a value that a header has to carry, as the predicate of a sentence; null where nothing is. */
export function headerValueProblem(value: string): string | null {
  return /[^\t\x20-\x7e\x80-\xff]/.test(value)
    ? 'has a line break or another character that no header may contain; check the value'
    : null
}
