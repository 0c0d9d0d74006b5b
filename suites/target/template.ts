/** `{{name}}` in what an operator writes for a hook: filled with what the story tells when the state is entered. */

export const templateNames = [
  'agentId',
  'idempotencyKey',
  'principal',
  'conversationId',
  'webhookId',
  'event',
  'operationId',
  'approvalId',
  'taskId',
] as const
type TemplateName = (typeof templateNames)[number]

export type Told = Readonly<Partial<Record<TemplateName, string>>>

const marks = /\{\{\s*([^{}]*?)\s*\}\}/g

/** Names between braces, known or not, in every text of a value. */
export function namesIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return Array.from(value.matchAll(marks), ([, name = '']) => name)
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(namesIn)
}

/** The same value with every name filled. Names that the story does not tell are left out: see `untold`. */
export function filled<T>(value: T, told: Told, spell: (text: string) => string = (text) => text): T {
  const replaced = (one: unknown): unknown => {
    if (typeof one === 'string')
      return one.replaceAll(marks, (_, name: TemplateName) => spell(told[name] ?? ''))
    if (Array.isArray(one)) return one.map(replaced)
    if (typeof one !== 'object' || one === null) return one
    return Object.fromEntries(Object.entries(one).map(([name, inner]) => [name, replaced(inner)]))
  }
  return replaced(value) as T
}

/** Names that a value wants and the story does not tell. */
export function untold(value: unknown, told: Told): readonly string[] {
  const known: Readonly<Record<string, string | undefined>> = told
  return [...new Set(namesIn(value))].filter((name) => known[name] === undefined)
}
