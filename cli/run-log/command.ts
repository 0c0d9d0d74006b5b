/** `touchstone log`: reads the logs that `touchstone check --log` writes. */
import { Command } from 'commander'
import type { CommandContext } from '../command-context.ts'
import { collectWhole } from '../values.ts'
import { headOption, type LogOptions, type VerifyLogOptions } from './options.ts'

const what = 'log of runs, or folder of such logs'

export function logCommand(context: CommandContext): Command {
  const command = new Command('log').description('verify and show the runs that `check --log` recorded')
  for (const one of [verifyCommand, showCommand, headCommand]) command.addCommand(one(context))
  return command
}

const verifyHelp = `
Examples:
  touchstone log verify runs.ndjson --key release.pub.pem
  touchstone log verify runs.ndjson --key release.pub.pem --head https://results.example/head.json

Exit codes:
  0  verified
  1  not verified: an entry was dropped, altered, moved, inserted, repeated, or is not of these signers
  2  wrong usage, or no log
  4  the published head cannot be loaded
  70 error of Touchstone`

function verifyCommand({ io, end }: CommandContext): Command {
  return new Command('verify')
    .description('verify that no entry of a log of runs was removed, altered, moved or inserted')
    .argument('<log>', what)
    .option('--key <file>', 'public key (PEM) of an allowed signer (repeatable)', collectWhole)
    .option(...headOption)
    .option('--json', 'print JSON')
    .addHelpText('after', verifyHelp)
    .action(async (path: string, options: VerifyLogOptions) => {
      const { verifyLog } = await import('./verify.ts')
      end(await verifyLog(path, options, io))
    })
}

function showCommand({ io, end }: CommandContext): Command {
  return new Command('show')
    .description('list the runs of a log by target and version, with their verdicts')
    .argument('<log>', what)
    .option('--key <file>', 'public key (PEM) of an allowed signer (repeatable)', collectWhole)
    .option('--json', 'print JSON')
    .action(async (path: string, options: LogOptions) => {
      const { showLog } = await import('./show.ts')
      end(showLog(path, options, io))
    })
}

function headCommand({ io, end }: CommandContext): Command {
  return new Command('head')
    .description('print the head of a log of runs as JSON, to publish it elsewhere')
    .argument('<log>', what)
    .option('--key <file>', 'public key (PEM) of an allowed signer (repeatable)', collectWhole)
    .action(async (path: string, options: LogOptions) => {
      const { printHead } = await import('./head.ts')
      end(printHead(path, options, io))
    })
}
