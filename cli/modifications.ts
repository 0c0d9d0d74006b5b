/** `--fault`, `--variant` and `--interpret`: modifications of the simulator. */
import type { Command } from 'commander'
import { gapIds, gaps } from '../spec/index.ts'
import type { Interpretations } from '../spec/index.ts'
import { alternatives, hint } from './nearest.ts'
import { UsageError } from './usage-error.ts'
import { collect } from './values.ts'

export interface ModificationOptions {
  fault?: readonly string[]
  variant?: readonly string[]
  interpret?: readonly string[]
}

export interface ModificationChoice<F, V> {
  faults: readonly F[]
  variants: readonly V[]
  interpretations: Partial<Interpretations>
}

export function withModifications(command: Command): Command {
  return command
    .option('--fault <name>', 'inject a deliberate defect (repeatable; see `touchstone faults`)', collect)
    .option(
      '--variant <name>',
      'switch on an unusual, conforming behaviour (repeatable; see `touchstone variants`)',
      collect,
    )
    .option(
      '--interpret <gap=interpretation>',
      'choose an interpretation of an unspecified point (repeatable; see `touchstone gaps`)',
      collect,
    )
}

/** Throws a UsageError for an unknown name, with the most similar known one. */
export function modificationsOf<F extends string, V extends string>(
  { fault = [], variant = [], interpret = [] }: ModificationOptions,
  known: { faults: readonly F[]; variants: readonly V[] },
): ModificationChoice<F, V> {
  return {
    faults: fault.map((name) => demand('--fault', name, known.faults, 'touchstone faults')),
    variants: variant.map((name) => demand('--variant', name, known.variants, 'touchstone variants')),
    interpretations: Object.fromEntries(interpret.map(interpretationOf)),
  }
}

/** The modifications as options of a command line, to reproduce them. */
export function modificationWords({
  fault = [],
  variant = [],
  interpret = [],
}: ModificationOptions): readonly string[] {
  return [
    ...fault.map((name) => `--fault ${name}`),
    ...variant.map((name) => `--variant ${name}`),
    ...interpret.map((name) => `--interpret ${name}`),
  ]
}

function interpretationOf(text: string): readonly [gap: string, interpretation: string] {
  const [gap = '', interpretation = ''] = text.split('=', 2)
  demand('--interpret', gap, gapIds, 'touchstone gaps')
  const known = gapIds.find((id) => id === gap)
  const interpretations = known ? Object.keys(gaps[known].interpretations) : []
  if (!interpretations.includes(interpretation))
    throw new UsageError(
      `--interpret ${text}: unknown interpretation; ${alternatives(interpretation, interpretations)}`,
    )
  return [gap, interpretation]
}

function demand<N extends string>(option: string, name: string, names: readonly N[], where: string): N {
  const found = names.find((one) => one === name)
  if (found !== undefined) return found
  throw new UsageError(`${option} ${name}: unknown name${hint(name, names)}; \`${where}\` lists all.`)
}
