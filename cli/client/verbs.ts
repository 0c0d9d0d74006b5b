/** Names of commands that the contract does not show: what the program calls them. */
import { alternatives } from '../nearest.ts'
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
      `--verb ${given}: give NAME=WORDS, such as login='auth save'; ${alternatives(name, verbs)}`,
    )
  if (words.length === 0)
    throw new UsageError(`--verb ${given}: the value is empty; give the program's name for it.`)
  return [name, words]
}

export function translateVerb(verbs: Verbs, [verb = '', ...words]: readonly string[]): readonly string[] {
  return [...(verbs[verb] ?? [verb]), ...words]
}
