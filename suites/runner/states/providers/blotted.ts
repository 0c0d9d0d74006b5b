/** Takes the secrets of a hook out of what is shown of it. */
import { createRedactor } from '../../../../reports/bundle/redaction/redaction.ts'
import { withoutMarks } from '../../../../reports/bundle/redaction/token.ts'

/** Shorter values could be ordinary text. */
const shortest = 4

export function blotted(text: string, secrets: readonly string[]): string {
  const long = secrets.filter(({ length }) => length >= shortest)
  // Words are compared from run to run, and a mark is good for one.
  return withoutMarks(createRedactor(long.map((value) => ({ name: 'secret', value }))).text(text))
}
