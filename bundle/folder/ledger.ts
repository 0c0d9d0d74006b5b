/** The ledger of a run on disk: written line by line as states come and go, so that a killed run can be cleaned up. */
import { quoteText } from '../curl.ts'
import { join } from 'node:path'
import { createdLine, goneLine, leftOvers, titleOf, type Created } from '../created.ts'
import { ownMember, parseJson } from '../json.ts'
import { BundleError } from '../errors.ts'
import type { Folder } from './folder.ts'
import { ledgerFile, planFile } from '../names.ts'
import { readPlain } from './plain-file.ts'
import { runningOf } from './report-folder.ts'

export interface Ledger {
  onCreate(entry: Created): void
  onGone(id: string): void
}

/**
 * A ledger in a folder that was cleared of an earlier one; see `mustBeLeft`. There is no file before something is created.
 * Without `lasting` a loss of power may take its last lines: enough where the target is lost with them.
 */
export function openLedger(folder: Pick<Folder, 'append'>, lasting = true): Ledger {
  return {
    onCreate: (entry) => folder.append(ledgerFile, createdLine(entry), lasting),
    onGone: (id) => folder.append(ledgerFile, goneLine(id), lasting),
  }
}

/** What a run left in this folder, oldest first; nothing where there is no ledger. */
export function readLedger(path: string): readonly Created[] {
  try {
    return leftOvers(readPlain(join(path, ledgerFile)).toString('utf8').split('\n'))
  } catch {
    return []
  }
}

function wasOfSimulator(path: string): boolean {
  try {
    const plan = parseJson(readPlain(join(path, planFile)).toString('utf8'))
    return plan.ok && ownMember(ownMember(plan.value, 'target'), 'kind') === 'simulator'
  } catch {
    return false
  }
}

/** Refuses to replace the only record of what a killed run left on a target that is still there. A simulator is gone with it. */
export function mustBeLeft(out: string): void {
  for (const path of [out, runningOf(out)]) {
    const open = readLedger(path)
    if (open.length === 0 || wasOfSimulator(path)) continue
    const states = [...new Set(open.map(titleOf))].join(', ')
    throw new BundleError(
      `${path}: an earlier run was interrupted and may have left ${states}; ` +
        `run \`touchstone cleanup ${quoteText(path)} --target FILE\` first, or name another folder.`,
    )
  }
}
