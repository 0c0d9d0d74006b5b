/** What becomes of a run that would have told a secret. */
import { SecretLeft } from '../../reports/bundle/redaction/leaks.ts'
import { clearRun } from './clearing.ts'
import { ledgerFile } from './names.ts'

/**
 * The error of a run that was kept in this folder; where a secret was left in, nothing of the run stays there but its
 * ledger, without which nobody could clean up after it.
 */
export function withdrawn(error: unknown, path: string): unknown {
  if (error instanceof SecretLeft) clearRun(path, [ledgerFile])
  return error
}
