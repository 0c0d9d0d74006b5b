/** Takes the secrets of a hook out of what is shown of it. */
import { redactor } from '../../wire/redaction.ts'

/** What is shorter cannot be told from other text. */
const shortest = 4

export function blotted(text: string, secrets: readonly string[]): string {
  const long = secrets.filter(({ length }) => length >= shortest)
  return redactor(long.map((value) => ({ name: 'secret', value }))).text(text)
}
