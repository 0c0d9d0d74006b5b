/** Options of the commands of this folder: a wrong one ends the command with a line, before anything is done. */
import { parseArgs, type ParseArgsConfig } from 'node:util'

/** Says what was wrong, with what to write instead, and ends with exit code 2. */
export function refused(line: string): never {
  console.error(`error: ${line}`)
  process.exit(2)
}

/** As `parseArgs`, but an option that there is not is refused. */
export function optionsOf<const T extends ParseArgsConfig>(config: T): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config)
  } catch (error) {
    return refused(error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error))
  }
}

/** A whole number above 0. */
export function whole(name: string, text: string): number {
  const value = Number(text)
  if (/^\d+$/.test(text) && Number.isSafeInteger(value) && value > 0) return value
  return refused(`--${name} ${text}: give a whole number above 0.`)
}

/** One of some names. */
export function oneOf<T extends string>(option: string, word: string, names: readonly T[]): T {
  return (
    names.find((name) => name === word) ??
    refused(`${option} ${word}: there is none; give ${names.join(', ')}.`)
  )
}
