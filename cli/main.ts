/** The command line, as a table of contents. */
import { Command } from 'commander'
import type { Bench } from './bench.ts'
import { baselineCommand } from './baseline/command.ts'
import { checkCommand } from './check/command.ts'
import { cleanupCommand } from './cleanup/command.ts'
import { clientCommand } from './client/command.ts'
import { diffCommand } from './diff/command.ts'
import { doctorCommand } from './doctor/command.ts'
import { ending } from './ending.ts'
import { execCommand } from './exec/command.ts'
import { exitCodes } from './exit-codes.ts'
import { initCommand } from './init/command.ts'
import type { Io } from './io.ts'
import { keygenCommand } from './keygen/command.ts'
import { clausesCommand } from './lists/clauses.ts'
import { modificationsCommands } from './lists/modifications.ts'
import { gapsCommand } from './lists/gaps.ts'
import { scenariosCommand } from './lists/scenarios.ts'
import { situationsCommand } from './lists/situations.ts'
import { listenCommand } from './listen/command.ts'
import { planCommand } from './plan/command.ts'
import { receiverCommand } from './receiver/command.ts'
import { rejudgeCommand } from './rejudge/command.ts'
import { repliesCommand } from './replies/command.ts'
import { replayCommand } from './replay/command.ts'
import { reportCommand } from './report/command.ts'
import { simulateCommand } from './simulate/command.ts'
import { specCommand } from './spec/command.ts'
import { verifyCommand } from './verify/command.ts'
import { version } from './version.ts'

/** Runs one command line, without the names of Node and of the script. Never throws; gives the exit code. */
export async function main(argv: readonly string[], io: Io): Promise<number> {
  let exitCode: number = exitCodes.ok
  const bench: Bench = { io, end: (code) => void (exitCode = code) }
  try {
    await program(bench).parseAsync([...argv], { from: 'user' })
    return exitCode
  } catch (error) {
    return ending(error, io)
  }
}

function program(bench: Bench): Command {
  const root = new Command('touchstone')
    .description('Judges a chat service by its contract, and stands in for one that keeps it.')
    .version(version(), '-V, --version')
  const commands = [
    checkCommand(bench),
    initCommand(bench),
    doctorCommand(bench),
    planCommand(bench),
    receiverCommand(bench),
    clientCommand(bench),
    reportCommand(bench),
    diffCommand(bench),
    rejudgeCommand(bench),
    verifyCommand(bench),
    replayCommand(bench),
    baselineCommand(bench),
    cleanupCommand(bench),
    keygenCommand(bench),
    simulateCommand(bench),
    execCommand(bench),
    repliesCommand(bench),
    listenCommand(bench),
    specCommand(bench),
    clausesCommand(bench),
    gapsCommand(bench),
    scenariosCommand(bench),
    situationsCommand(bench),
    ...modificationsCommands(bench),
  ]
  for (const command of commands) root.addCommand(command)
  const all = [root, ...commands, ...commands.flatMap((command) => command.commands)]
  for (const command of all) talk(command, bench.io)
  return root
}

/** No command ends the process or writes anywhere by itself, and an error takes one line. */
function talk(command: Command, io: Io): void {
  command
    .exitOverride()
    .showHelpAfterError(false)
    .configureOutput({
      writeOut: io.out,
      writeErr: io.err,
      getOutHelpWidth: () => Math.min(io.width, 100),
      getErrHelpWidth: () => Math.min(io.width, 100),
      outputError: (text, write) => write(`${text.trim().replaceAll('\n', ' ')}\n`),
    })
}
