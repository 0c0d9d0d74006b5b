/** What is left of a run that failed. */
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { SecretLeft } from '../redaction/leaks.ts'
import { ledgerFile } from '../names.ts'
import type { Folder } from './folder.ts'
import { readLedger } from './ledger.ts'
import { lockFile } from './lock.ts'

/** Errors that say that nothing was judged: the configuration is wrong, or nothing answers. */
const beforeAnything: readonly string[] = ['ConfigurationError', 'TargetUnreachable', 'UsageError']

/**
 * Deletes what was written if nothing was judged, or if it would contain a secret; only the ledger stays where `cleanup`
 * needs it. Anything else stays. Returns where that is, or null.
 */
export function clearAfter(error: unknown, folder: Folder): string | null {
  if (!existsSync(folder.path)) return null
  const isWorthless =
    error instanceof SecretLeft || (error instanceof Error && beforeAnything.includes(error.name))
  if (!isWorthless) return folder.path
  if (readLedger(folder.path).length === 0) {
    folder.discard()
    return null
  }
  for (const name of readdirSync(folder.path))
    if (name !== ledgerFile && name !== lockFile) rmSync(join(folder.path, name), { recursive: true })
  return folder.path
}
