/** Leaves the states that the ledger of a run says are still entered, the last first. */
import { appendFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { cleanup } from '../../suites/runner/cleanup.ts'
import { goneLine, titleOf, type Created } from '../../bundle/created.ts'
import { createRedactor } from '../../bundle/redaction/redaction.ts'
import { secretsOf } from '../../suites/config/secret-values.ts'
import { readLedger } from '../../bundle/folder/ledger.ts'
import { runningOf } from '../../bundle/folder/report-folder.ts'
import { ledgerFile } from '../../bundle/names.ts'
import { openTarget, personAt } from '../check/target.ts'
import type { CommandAnswer } from '../command.ts'
import type { CleanupOptions } from '../commands/options.ts'
import { exitCodes } from '../exit-codes.ts'
import type { Io } from '../io.ts'
import { UsageError } from '../usage-error.ts'

export async function undo(
  path: string,
  { target: file, allowExec }: CleanupOptions,
  io: Io,
): Promise<CommandAnswer> {
  // A run that was killed did not get to rename its folder.
  const places = [path, runningOf(path)]
  const folder = places.find((one) => readLedger(one).length > 0) ?? places.find((one) => existsSync(one))
  if (folder === undefined)
    throw new UsageError(`there is no folder ${path}: name the one that the run wrote to.`)
  if (file === 'simulator')
    throw new UsageError(
      '--target simulator: a simulator ends with its run, and so does what was left there.',
    )
  const { target } = await openTarget(file, {}, io)
  const ledger = join(folder, ledgerFile)
  const { gone, left } = await cleanup(target, readLedger(folder), {
    allowExec,
    ask: personAt(io),
    // Written at once, so that a second try begins where this one ended.
    onGone: (id) => appendFileSync(ledger, goneLine(id)),
  })
  const lines = [
    ...gone.map((entry) => `✓ ${named(entry)} is ${entry.what === 'state' ? 'left' : 'removed'}\n`),
    ...left.map(({ entry, because }) => `✗ ${named(entry)} may still hold: ${because}\n`),
  ]
  const text = lines.join('') || `Nothing is left of the run in ${folder}.\n`
  const rest = 'Undo the rest by hand, or fix what is said above and run this again.\n'
  return {
    text: createRedactor(secretsOf(target)).text(text),
    ...(left.length > 0 && { exitCode: exitCodes.lessExercised, note: rest }),
  }
}

function named(entry: Created): string {
  if (entry.what === 'webhook') return `${titleOf(entry)} (agent ${entry.agent})`
  const { state, by, about } = entry
  const { agentId } = about
  return `${state} (by ${by}${agentId === undefined ? '' : `, agent ${agentId}`})`
}
