/** `--fault`, `--variant` and `--reading`: how the simulator is switched away from its plain self. */
import type { Command } from 'commander'
import { gapIds, gaps } from '../spec/index.ts'
import type { Readings } from '../spec/index.ts'
import { hint } from './nearest.ts'
import { UsageError } from './usage-error.ts'
import { collect } from './values.ts'

export interface ModificationOptions {
  fault?: readonly string[]
  variant?: readonly string[]
  reading?: readonly string[]
}

export interface Modifications<F, V> {
  faults: readonly F[]
  variants: readonly V[]
  readings: Partial<Readings>
}

export function withModifications(command: Command): Command {
  return command
    .option('--fault <name>', 'switch a deliberate defect on (repeatable; see `touchstone faults`)', collect)
    .option(
      '--variant <name>',
      'switch a conforming oddity on (repeatable; see `touchstone variants`)',
      collect,
    )
    .option(
      '--reading <gap=reading>',
      'read an open question this way (repeatable; see `touchstone gaps`)',
      collect,
    )
}

/** Names are looked up here, so that a wrong one is met with the right one. */
export function modificationsOf<F extends string, V extends string>(
  { fault = [], variant = [], reading = [] }: ModificationOptions,
  known: { faults: readonly F[]; variants: readonly V[] },
): Modifications<F, V> {
  return {
    faults: fault.map((name) => demand('--fault', name, known.faults, 'touchstone faults')),
    variants: variant.map((name) => demand('--variant', name, known.variants, 'touchstone variants')),
    readings: Object.fromEntries(reading.map(readingOf)),
  }
}

/** The same in words of the command line, for who wants to do it again. */
export function modificationWords({
  fault = [],
  variant = [],
  reading = [],
}: ModificationOptions): readonly string[] {
  return [
    ...fault.map((name) => `--fault ${name}`),
    ...variant.map((name) => `--variant ${name}`),
    ...reading.map((name) => `--reading ${name}`),
  ]
}

function readingOf(text: string): readonly [gap: string, reading: string] {
  const [gap = '', reading = ''] = text.split('=', 2)
  demand('--reading', gap, gapIds, 'touchstone gaps')
  const known = gapIds.find((id) => id === gap)
  const readings = known ? Object.keys(gaps[known].readings) : []
  if (!readings.includes(reading))
    throw new UsageError(
      `--reading ${text}: ${gap} can be read as ${readings.join(' or ')}${hint(reading, readings)}.`,
    )
  return [gap, reading]
}

function demand<N extends string>(option: string, name: string, names: readonly N[], where: string): N {
  const found = names.find((one) => one === name)
  if (found !== undefined) return found
  throw new UsageError(
    `${option} ${name}: there is none of this name${hint(name, names)}; \`${where}\` lists all.`,
  )
}
