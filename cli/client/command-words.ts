/** The command of a client: its secrets, how it is displayed, and whether it exists. */
import { accessSync, constants, statSync } from 'node:fs'
import { basename, delimiter, join } from 'node:path'
import type { Secret } from '../../reports/bundle/redaction/redaction.ts'
import type { Io } from '../io.ts'
import { UsageError } from '../usage-error.ts'

const secretOption = /(key|token|secret|passw(or)?d|credential|auth)s?$/i
const option = /^(--?[\w.-]+)[=:](.+)$/s
const placeholder = /^\{[a-z_]+\}$/
/** Shorter values are ordinary words. */
const shortest = 8
const longestName = 100

/** Values of options with secret names, and of environment variables with secret names. */
export function secretsIn(words: readonly string[], env: Io['env']): readonly Secret[] {
  const named = words.flatMap((word, at) => valueIn(word) ?? valueIn(words[at - 1] ?? '', word) ?? [])
  const variables = Object.entries(env).flatMap(([name, value = '']) =>
    secretOption.test(name) && value.length >= shortest && words.some((word) => word.includes(value))
      ? [value]
      : [],
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

/** In one line, without secrets. */
export function displayedCommand(words: readonly string[]): string {
  if (words.length === 0) return 'a client by hand'
  const [program = '', ...others] = words
  const spoken = [basename(program), ...others].map((word, at) => {
    const value = valueIn(word)
    if (value !== undefined) return `${word.slice(0, -value.length)}…`
    return valueIn(words[at - 1] ?? '', word) === undefined || placeholder.test(word) ? word : '…'
  })
  const line = spoken.join(' ').replaceAll(/\s+/g, ' ').trim()
  return line.length > longestName ? `${line.slice(0, longestName - 1)}…` : line
}

/** Throws a UsageError if the command does not exist. */
export function checkCommandExists([program = '']: readonly string[], env: Io['env']): void {
  const places = /[/\\]/.test(program)
    ? [program]
    : (env['PATH'] ?? '').split(delimiter).map((folder) => join(folder || '.', program))
  if (places.some(isProgram)) return
  throw new UsageError(
    `${program}: there is no such executable; check its name${/\.\w+$/.test(program) ? ', or put its interpreter before it' : ''}.`,
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
