/** `touchstone sim fault`, `variant`, `interpret` and `snapshot` */
import type { Modifications } from '../../simulator/tenant-handle.ts'
import type { CommandGroup } from '../command.ts'
import { alternatives } from '../nearest.ts'
import { UsageError } from '../usage-error.ts'
import type { SimulatorConnection } from './connection.ts'
import { controlRow, namedItem, table, type ControlResult } from './row.ts'

const kinds = {
  fault: ['faults', 'switch deliberate defects on and off'],
  variant: ['variants', 'switch unusual, conforming behaviours on and off'],
} as const

type Kind = keyof typeof kinds

export const switches = (['fault', 'variant'] as const).map((kind): CommandGroup => {
  const [all, description] = kinds[kind]
  const change = (name: 'on' | 'off', flags: string, text: string) =>
    controlRow({
      name,
      description: `switch ${all} ${name}`,
      argument: [flags, text],
      run: (words) => (connection) => switched(kind, name, words, connection),
    })
  return {
    name: kind,
    description,
    commands: [
      change('on', '<names...>', `names of ${all}; see \`touchstone ${all}\``),
      change('off', '[names...]', `names of ${all} (default: all that are on)`),
      controlRow({
        name: 'list',
        description: `list the ${all} that are on`,
        run: () => async (connection) => shown(kind, (await connection.tenant.read())[all]),
      }),
    ],
  }
})

async function switched(
  kind: Kind,
  to: 'on' | 'off',
  words: readonly string[],
  { client, tenant }: SimulatorConnection,
): Promise<ControlResult> {
  const [all] = kinds[kind]
  const known = (await client[all]()).map(({ name }) => name)
  const names = words
    .flatMap((word) => word.split(','))
    .map((word) => namedItem(kind, word, known, (name) => [name]))
  const state = await modificationsNow(tenant)
  const others = state[all].filter((name) => !names.includes(name))
  const on = to === 'on' ? [...others, ...names] : names.length === 0 ? [] : others
  await tenant.setModifications({ ...state, [all]: on })
  return shown(kind, on)
}

const shown = (kind: Kind, names: readonly string[]): ControlResult => ({
  text: names.length === 0 ? `no ${kind} is on` : `on: ${names.join(', ')}`,
  json: { [kinds[kind][0]]: names },
})

async function modificationsNow(tenant: SimulatorConnection['tenant']): Promise<Required<Modifications>> {
  const { faults, variants, interpretations } = await tenant.read()
  return { faults, variants, interpretations } as Required<Modifications>
}

export const interpret = controlRow({
  name: 'interpret',
  description: 'list or choose interpretations of unspecified points',
  argument: ['[choices...]', 'GAP=INTERPRETATION; see `touchstone list gaps`'],
  run(words) {
    const choices = words.map((word) => {
      const [, gap, name] = /^([^=]+)=(.+)$/.exec(word) ?? []
      if (gap !== undefined && name !== undefined) return [gap, name] as const
      throw new UsageError(`${word}: give GAP=INTERPRETATION, such as GAP-IDENTICAL=conflict.`)
    })
    return async ({ client, tenant }) => {
      const gaps = await client.interpretations()
      for (const [id, name] of choices) {
        const names = Object.keys(namedItem('unspecified point', id, gaps, (one) => [one.id]).interpretations)
        if (!names.includes(name))
          throw new UsageError(`${id}=${name}: unknown interpretation; ${alternatives(name, names)}`)
      }
      const state = await modificationsNow(tenant)
      const interpretations = { ...state.interpretations, ...Object.fromEntries(choices) }
      if (choices.length > 0) await tenant.setModifications({ ...state, interpretations })
      const named = choices.length > 0 ? choices : Object.entries(interpretations)
      return { text: named.map((choice) => choice.join('=')).join('\n'), json: { interpretations } }
    }
  },
})

type Snapshots = SimulatorConnection['tenant']['snapshots']
type OnSnapshot = (snapshots: Snapshots, name: string) => Promise<ControlResult>

const named = (action: string, description: string, run: OnSnapshot) =>
  controlRow({
    name: action,
    description,
    argument: ['<name>', 'name of the snapshot'],
    run([name = '']) {
      if (!/^[\w.-]{1,64}$/.test(name))
        throw new UsageError(
          `snapshot ${action} ${name}: give a name of 1 to 64 letters, digits, dots, dashes and underscores.`,
        )
      return ({ tenant }) => run(tenant.snapshots, name)
    },
  })

export const snapshot: CommandGroup = {
  name: 'snapshot',
  description: 'save and restore the state of a tenant',
  commands: [
    named('save', 'save the state of the tenant in the memory of the simulator', async (snapshots, name) => {
      const json = await snapshots.save(name)
      return { text: `saved ${name} (${json.bytes} bytes)`, json }
    }),
    named('restore', 'return the tenant to a saved snapshot', async (snapshots, name) => {
      await snapshots.restore(name)
      return { text: `restored ${name}`, json: { restored: name } }
    }),
    named('delete', 'delete a saved snapshot', async (snapshots, name) => {
      await snapshots.delete(name)
      return { text: `deleted ${name}`, json: { deleted: name } }
    }),
    controlRow({
      name: 'list',
      description: 'list the saved snapshots',
      run:
        () =>
        async ({ tenant }) => {
          const snapshots = await tenant.snapshots.list()
          const rows = snapshots.map(({ name, at, bytes }) => [at, name, `${bytes} bytes`])
          return { text: table(rows, 'snapshots'), json: { snapshots } }
        },
    }),
    controlRow({
      name: 'download',
      description: 'print a snapshot as a JSON document',
      argument: ['[name]', 'name of a saved snapshot (default: the state of the tenant now)'],
      options: [['--out <file>', 'write the document to this file']],
      help: `The document contains the API keys and webhook secrets of the tenant. Start a simulator from it with
\`touchstone simulate --snapshot FILE\`.`,
      run:
        ([name], { out }) =>
        async ({ tenant }) => {
          const json = await tenant.snapshots.download(name)
          const text = JSON.stringify(json)
          if (out === undefined) return { text, json }
          // With it come all report formats, and each start would load them.
          const { writeOut } = await import('../out-file.ts')
          writeOut(out, `${text}\n`)
          return { text: `wrote ${out}`, json: { file: out } }
        },
    }),
  ],
}
