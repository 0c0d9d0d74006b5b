/** `touchstone fault`, `touchstone variant` and `touchstone interpret` */
import type { Command } from 'commander'
import type { Modifications } from '../../simulator/tenant.ts'
import type { CommandContext } from '../command-context.ts'
import { alternatives } from '../nearest.ts'
import { UsageError } from '../usage-error.ts'
import type { SimulatorConnection } from './connection.ts'
import { controlCommand, controlGroup, type ControlResult } from './control-command.ts'
import { namedItem } from './named.ts'

const groups = {
  fault: { all: 'faults', description: 'switch deliberate defects on and off', lists: 'touchstone faults' },
  variant: {
    all: 'variants',
    description: 'switch unusual, conforming behaviours on and off',
    lists: 'touchstone variants',
  },
} as const

type Kind = keyof typeof groups

export function modificationGroups(context: CommandContext): readonly Command[] {
  return [
    ...(['fault', 'variant'] as const).map((kind) => switches(kind, context)),
    interpretCommand(context),
  ]
}

function switches(kind: Kind, context: CommandContext): Command {
  const { all, description, lists } = groups[kind]
  const change = (name: 'on' | 'off', flags: string, text: string): Command =>
    controlCommand(
      {
        name,
        description: `switch ${all} ${name}`,
        argument: [flags, text],
        run: (words) => (connection) => switched(kind, name, words, connection),
      },
      context,
    )
  return controlGroup(kind, description, [
    change('on', '<names...>', `names of ${all}; see \`${lists}\``),
    change('off', '[names...]', `names of ${all} (default: all that are on)`),
    controlCommand(
      {
        name: 'list',
        description: `list the ${all} that are on`,
        run: () => async (connection) => onText(kind, (await connection.tenant.read())[all]),
      },
      context,
    ),
  ])
}

async function switched(
  kind: Kind,
  to: 'on' | 'off',
  words: readonly string[],
  { client, tenant }: SimulatorConnection,
): Promise<ControlResult> {
  const { all } = groups[kind]
  const known = (await client[all]()).map(({ name }) => name)
  const names = words
    .flatMap((word) => word.split(','))
    .map((word) => namedItem(kind, word, known, (name) => [name]))
  const state = await modificationsNow(tenant)
  const others = state[all].filter((name) => !names.includes(name))
  const on = to === 'on' ? [...others, ...names] : names.length === 0 ? [] : others
  await tenant.setModifications({ ...state, [all]: on })
  return onText(kind, on)
}

/** The names are those of the simulator. */
async function modificationsNow(tenant: SimulatorConnection['tenant']): Promise<Required<Modifications>> {
  const { faults, variants, interpretations } = await tenant.read()
  return { faults, variants, interpretations } as Required<Modifications>
}

function onText(kind: Kind, names: readonly string[]): ControlResult {
  const text = names.length === 0 ? `no ${kind} is on` : `on: ${names.join(', ')}`
  return { text, json: { [groups[kind].all]: names } }
}

function interpretCommand(context: CommandContext): Command {
  return controlCommand(
    {
      name: 'interpret',
      description: 'list or choose interpretations of unspecified points',
      argument: ['[choices...]', 'GAP=INTERPRETATION; see `touchstone gaps`'],
      run(words) {
        const choices = words.map(choiceIn)
        return async ({ client, tenant }) => {
          const gaps = await client.interpretations()
          for (const [id, name] of choices) checkChoice(id, name, gaps)
          const state = await modificationsNow(tenant)
          const interpretations = { ...state.interpretations, ...Object.fromEntries(choices) }
          if (choices.length > 0) await tenant.setModifications({ ...state, interpretations })
          const shown = choices.length > 0 ? choices : Object.entries(interpretations)
          return { text: shown.map((choice) => choice.join('=')).join('\n'), json: { interpretations } }
        }
      },
    },
    context,
  )
}

function choiceIn(word: string): readonly [gap: string, interpretation: string] {
  const [, gap, name] = /^([^=]+)=(.+)$/.exec(word) ?? []
  if (gap !== undefined && name !== undefined) return [gap, name]
  throw new UsageError(`${word}: give GAP=INTERPRETATION, such as GAP-IDENTICAL=conflict.`)
}

interface Gap {
  readonly id: string
  readonly interpretations: object
}

function checkChoice(id: string, name: string, gaps: readonly Gap[]): void {
  const gap = namedItem('unspecified point', id, gaps, (one) => [one.id])
  const names = Object.keys(gap.interpretations)
  if (!names.includes(name))
    throw new UsageError(`${id}=${name}: unknown interpretation; ${alternatives(name, names)}`)
}
