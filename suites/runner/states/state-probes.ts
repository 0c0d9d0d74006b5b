/**
 * Probes of a state by something else than what a scenario judges: before the scenario, where it may have nothing to show
 * the state by, and after it, where what it met speaks against the state. Each goes into a conversation of its own,
 * so that it changes no answer of the scenario.
 */
import type { Exchange } from '../../wire/exchange.ts'
import type { Wire } from '../../wire/wire.ts'
import { notExercised } from '../../scenario/ending.ts'
import { chatRequest, type RequestDefaults } from '../requests/request.ts'
import type { Setting } from '../../scenario/setting.ts'
import type { EnteredState } from './entered-state.ts'
import { stateProbes } from './probes-by-state.ts'

export interface Asker {
  wire: Wire
  requestDefaults: RequestDefaults
  /** Waits on the target's clock; without it nothing is waited for. */
  wait?: (ms: number) => Promise<void>
}

/** What was switched may reach each part of a service a little later: it is asked again after each of these. */
const asksAgainMs: readonly number[] = [200, 800]

/** One part of several may be wrong: most of so many decide. */
const probesMost = 3

/** Asks before the scenario until the state shows. What ends the scenario, or null; never throws, because the state still has to be left. */
export async function askFirst(entered: EnteredState, setting: Setting, asker: Asker): Promise<Error | null> {
  const { state, by, mismatch } = entered
  if (!stateProbes[state].asksFirst || by === 'wire') return null
  try {
    for (const ms of [...asksAgainMs, null]) {
      const plain = await asker.wire.send(probing(`probe ${state}`, setting, asker))
      if (plain.failure?.kind === 'budget') return notExercised('budget-exhausted', plain.failure.message)
      const found = mismatch([], [plain])
      if (!found) return null
      if (ms === null || !asker.wait) return notExercised('state-mismatch', found.because)
      await asker.wait(ms)
    }
    return null
  } catch (thrown) {
    return thrown instanceof Error ? thrown : new Error(String(thrown))
  }
}

/** Probes after what was sent in a state, where that speaks against it; else none. */
export async function probe(
  { state, by }: EnteredState,
  setting: Setting,
  asker: Asker,
  sent: readonly Exchange[],
): Promise<readonly Exchange[]> {
  const { surprising, isTheClause = false } = stateProbes[state]
  const isBelieved = by === 'wire' || (isTheClause && by === 'control')
  if (!surprising || isBelieved || !sent.some(surprising)) return []
  const probes: Exchange[] = []
  for (let count = 0; count < probesMost; count++) {
    const plain = await asker.wire.send(probing(`probe of ${state}`, setting, asker))
    if (plain.failure?.kind === 'budget') break
    probes.push(plain)
  }
  return probes
}

function probing(name: string, setting: Setting, { requestDefaults }: Asker) {
  return chatRequest(name, { message: setting.message }, setting, requestDefaults)
}
