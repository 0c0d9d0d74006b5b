/** `--since`: the earlier run that a new one is held against, read before the new one begins. */
import type { Run } from '../../reports/bundle/record.ts'
import { BundleError } from '../../reports/bundle/errors.ts'
import { UsageError } from '../usage-error.ts'
import { openEarlier } from './earlier.ts'
import type { Earlier } from './earlier.ts'

export type Judged = 'receiver' | 'client' | 'service'

export function judgedBy({ record: { target } }: Run): Judged {
  return target.kind === 'receiver' || target.kind === 'client' ? target.kind : 'service'
}

/**
 * Null where no folder is named. Throws a UsageError for one that holds no run, or one of another kind: a run costs
 * too much to find that out when it has ended.
 */
export function openSince(path: string | undefined, judges: Judged): Earlier | null {
  if (path === undefined) return null
  if (path === '') throw new UsageError('--since: name the folder of an earlier run, or leave it out.')
  const earlier = opened(path)
  const kind = judgedBy(earlier.run)
  if (kind === judges) return earlier
  throw new UsageError(`--since ${path}: that run judged a ${kind}, and this one judges a ${judges}.`)
}

function opened(path: string): Earlier {
  try {
    return openEarlier(path)
  } catch (error) {
    if (error instanceof BundleError) throw new UsageError(`--since ${path}: ${error.message}`)
    throw error
  }
}
