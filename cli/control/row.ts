/** Commands on a tenant of a running simulator. */
import { row, type CommandRow, type Flag, type OptionsOf } from '../command.ts'
import type { Io } from '../io.ts'
import { alternatives } from '../nearest.ts'
import { controlFlags, controlHelp, type ControlOptions } from '../options.ts'
import { UsageError } from '../usage-error.ts'
import type { SimulatorConnection } from './connection.ts'

export type ControlResult = { readonly text: string; readonly json: unknown }

type ControlWork = (connection: SimulatorConnection) => Promise<ControlResult>

interface ControlRow<L extends readonly Flag[]> extends Pick<
  CommandRow<L>,
  'name' | 'description' | 'argument' | 'options' | 'help'
> {
  /** Throws a UsageError for a wrong command line, before anything is sent. */
  run: (words: readonly string[], options: OptionsOf<L>, io: Io) => ControlWork | ControlResult
}

export function controlRow<const L extends readonly Flag[] = []>(one: ControlRow<L>): CommandRow {
  const { options = [], help, run } = one as unknown as ControlRow<readonly Flag[]>
  return row<readonly Flag[]>({
    ...one,
    options: [...options, ...controlFlags],
    help: `${help === undefined ? '' : `\n${help}\n`}${controlHelp}`,
    compact: true,
    async run(words, given, io) {
      const work = run(words, given, io)
      const { text, json } = typeof work === 'function' ? await connected(work, given, io) : work
      return { text: text === '' ? '' : `${text}\n`, json }
    },
  })
}

const connected = async (work: ControlWork, options: ControlOptions, { env }: Io): Promise<ControlResult> =>
  (await import('./connection.ts')).withConnection(options, env, work)

/** The item with this name; an item can have several. Throws a UsageError that lists the first name of each item. */
export function namedItem<T>(
  kind: string,
  word: string,
  items: readonly T[],
  namesOf: (item: T) => readonly string[],
): T {
  const found = items.find((item) => namesOf(item).includes(word))
  if (found !== undefined) return found
  const names = items.map((item) => namesOf(item)[0] ?? '')
  const advice = names.length === 0 ? 'there is none' : alternatives(word, names)
  throw new UsageError(`no ${kind} ${word}; ${advice.replace(/(?<![?.])$/, '.')}`)
}

export function table(rows: readonly (readonly string[])[], what: string): string {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((cells) => cells[at]?.length ?? 0)))
  const lines = rows.map((cells) =>
    cells
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  return lines.join('\n') || `no ${what}`
}
