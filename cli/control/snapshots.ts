/** `touchstone snapshot save`, `restore`, `list`, `download` and `delete` */
import type { Command } from 'commander'
import type { CommandContext } from '../command-context.ts'
import { writeOut } from '../out-file.ts'
import { UsageError } from '../usage-error.ts'
import { controlCommand, controlGroup, type ControlResult } from './control-command.ts'
import type { SimulatorConnection } from './connection.ts'
import { alignedRows } from './named.ts'

type Snapshots = SimulatorConnection['tenant']['snapshots']

interface Action {
  readonly description: string
  readonly run: (snapshots: Snapshots, name: string) => Promise<ControlResult>
}

const actions: Readonly<Record<string, Action>> = {
  save: {
    description: 'save the state of the tenant in the memory of the simulator',
    run: async (snapshots, name) => {
      const json = await snapshots.save(name)
      return { text: `saved ${name} (${json.bytes} bytes)`, json }
    },
  },
  restore: {
    description: 'return the tenant to a saved snapshot',
    run: async (snapshots, name) => {
      await snapshots.restore(name)
      return { text: `restored ${name}`, json: { restored: name } }
    },
  },
  delete: {
    description: 'delete a saved snapshot',
    run: async (snapshots, name) => {
      await snapshots.delete(name)
      return { text: `deleted ${name}`, json: { deleted: name } }
    },
  },
}

export function snapshotGroup(context: CommandContext): Command {
  const named = Object.entries(actions).map(([action, { description, run }]) =>
    controlCommand(
      {
        name: action,
        description,
        argument: ['<name>', 'name of the snapshot'],
        run: ([name = '']) => {
          if (!/^[\w.-]{1,64}$/.test(name))
            throw new UsageError(
              `snapshot ${action} ${name}: give a name of 1 to 64 letters, digits, dots, dashes and underscores.`,
            )
          return ({ tenant }) => run(tenant.snapshots, name)
        },
      },
      context,
    ),
  )
  const commands = [...named, listCommand(context), downloadCommand(context)]
  return controlGroup('snapshot', 'save and restore the state of a tenant', commands)
}

const listCommand = (context: CommandContext): Command =>
  controlCommand(
    {
      name: 'list',
      description: 'list the saved snapshots',
      run:
        () =>
        async ({ tenant }) => {
          const snapshots = await tenant.snapshots.list()
          const rows = snapshots.map(({ name, at, bytes }) => [at, name, `${bytes} bytes`])
          return { text: rows.length === 0 ? 'no snapshots' : alignedRows(rows), json: { snapshots } }
        },
    },
    context,
  )

const help = `The document contains the API keys and webhook secrets of the tenant. Start a simulator from it with
\`touchstone simulate --snapshot FILE\`.`

const downloadCommand = (context: CommandContext): Command =>
  controlCommand<{ out?: string }>(
    {
      name: 'download',
      description: 'print a snapshot as a JSON document',
      argument: ['[name]', 'name of a saved snapshot (default: the state of the tenant now)'],
      options: (command) => command.option('--out <file>', 'write the document to this file'),
      help,
      run:
        ([name], { out }) =>
        async ({ tenant }) => {
          const json = await tenant.snapshots.download(name)
          const text = JSON.stringify(json)
          if (out === undefined) return { text, json }
          writeOut(out, `${text}\n`)
          return { text: `wrote ${out}`, json: { file: out } }
        },
    },
    context,
  )
