/** Commands that scenarios ask of a command line and whose names the contract does not show: what a program calls them. */
import { hint } from '../nearest.ts'
import { UsageError } from '../usage-error.ts'

const verbs = ['chat', 'execute', 'login', 'whoami'] as const

export type Verbs = Readonly<Record<string, readonly string[]>>

/** From `verb=words`, such as `login=auth save`. Throws a UsageError. */
export function verbsFrom(given: readonly string[]): Verbs {
  return Object.fromEntries(given.map(verbFrom))
}

function verbFrom(given: string): readonly [string, readonly string[]] {
  const [, name = '', said = ''] = /^([^=]*)=(.*)$/s.exec(given) ?? []
  const words = said.split(' ').filter((word) => word !== '')
  if (!verbs.some((verb) => verb === name))
    throw new UsageError(
      `--verb ${given}: give one of ${verbs.join(', ')}, an equals sign, and what the program calls it${hint(name, verbs)}.`,
    )
  if (words.length === 0)
    throw new UsageError(
      `--verb ${given}: nothing stands behind the equals sign; give what the program calls it.`,
    )
  return [name, words]
}

/** The words of a task as the program knows them: its first one is the verb. */
export function translateVerb(verbs: Verbs, [verb = '', ...words]: readonly string[]): readonly string[] {
  return [...(verbs[verb] ?? [verb]), ...words]
}
