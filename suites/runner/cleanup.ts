/** Leaves what a killed run left behind. */
import type { Target } from '../config/target.ts'
import { realClock, type Clock } from '../wire/clock.ts'
import { createControl } from './states/control.ts'
import type { Created } from '../../bundle/created.ts'
import { provisionOf } from './states/state-providers.ts'
import { removeWebhook } from './receiver/endpoints.ts'
import type { Provision } from '../config/provided.ts'
import { leaver } from './states/providers/index.ts'
import type { Permits, ProviderEntry } from './states/providers/provider.ts'
import { errorMessage } from '../../bundle/text.ts'

export interface CleanupRunOptions extends Permits {
  clock?: Clock
  /** Called for each that is gone, so that the ledger says so. */
  onGone?: (id: string) => void | Promise<void>
}

export interface CleanedUp {
  gone: readonly Created[]
  /** What may still be there, with what has to be done by hand. */
  left: readonly { entry: Created; because: string }[]
}

/**
 * The last that was created goes first. `target` has to be the one of the run: how a state is left is read from it,
 * because the ledger holds no secret. Never throws for what it could not remove.
 */
export async function cleanup(
  target: Target,
  entries: readonly Created[],
  { clock = realClock(), onGone, ...permits }: CleanupRunOptions = {},
): Promise<CleanedUp> {
  const control = target.control && createControl(target.control)
  const gone: Created[] = []
  const left: { entry: Created; because: string }[] = []
  for (const entry of entries.toReversed()) {
    try {
      await undo(entry, target, { ...permits, clock, control })
      await onGone?.(entry.id)
      gone.push(entry)
    } catch (thrown) {
      left.push({ entry, because: errorMessage(thrown) })
    }
  }
  return { gone, left }
}

async function undo(entry: Created, target: Target, deps: ProviderEntry['deps']): Promise<void> {
  if (entry.what === 'webhook') return removeWebhook(entry, target)
  const { state, by, about, handle } = entry
  const ways = [provisionOf(state, target), ...(target.furtherStates?.[state] ?? [])]
  const same = ways.filter(({ provide }) => provide === by)
  if (same.length === 0)
    throw new Error(
      `${state} was entered by ${by}, and the target file now provides it by ${ways[0]?.provide}; give the file of that run`,
    )
  const own = ({ agent = about['agentId'] }: Provision): boolean => agent === about['agentId']
  const leave = same
    .filter(own)
    .map((way) => leaver(way))
    .find((one) => one !== null)
  if (!leave)
    throw new Error(`${state} was entered by ${by}, and the target file no longer says how it is left`)
  await leave({ state, about, deps, ...(handle === undefined ? {} : { handle }) })
}
