/** Commands on a tenant of a running simulator: their common options, and how they run and print. */
import { Command } from 'commander'
import type { CommandContext } from '../command-context.ts'
import type { Io } from '../io.ts'
import type { SimulatorConnection } from './connection.ts'
import { withControl, type ControlOptions } from './control-options.ts'

export interface ControlResult {
  readonly text: string
  readonly json: unknown
}

export type ControlWork = (connection: SimulatorConnection) => Promise<ControlResult>

export interface ControlCommand<O> {
  readonly name: string
  readonly description: string
  /** Flags such as `<event>` or `[names...]`, with a description. */
  readonly argument?: readonly [flags: string, description: string]
  readonly options?: (command: Command) => Command
  readonly help?: string
  /** Throws a UsageError for a wrong command line, before anything is sent. */
  readonly run: (words: readonly string[], options: O & ControlOptions, io: Io) => ControlWork | ControlResult
}

export function controlCommand<O extends object>(
  { name, description, argument, options = (same) => same, help, run }: ControlCommand<O>,
  { io }: CommandContext,
): Command {
  const command = new Command(name).description(description)
  if (argument) command.argument(...argument)
  return withControl(options(command), help).action(async () => {
    const given = command.opts<O & ControlOptions>()
    const work = run(command.args, given, io)
    const { text, json } = typeof work === 'function' ? await connected(work, given, io) : work
    io.out(given.json ? `${JSON.stringify(json)}\n` : text === '' ? '' : `${text}\n`)
  })
}

/** The client is loaded only now. */
async function connected(work: ControlWork, options: ControlOptions, io: Io): Promise<ControlResult> {
  const { withConnection } = await import('./connection.ts')
  return withConnection(options, io.env, work)
}

/** Several control commands below one name, such as `fault on`. */
export function controlGroup(name: string, description: string, commands: readonly Command[]): Command {
  const group = new Command(name).description(description)
  for (const command of commands) group.addCommand(command.helpOption('-h, --help', 'print help'))
  return group.helpCommand(false)
}
