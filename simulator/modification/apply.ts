/** Turns interpretations, faults and variants on in a tenant. */
import type { DeliveryAbout } from './hooks.ts'
import { defaultInterpretations, gapIds, gaps, type Interpretations } from '../../spec/index.ts'
import { rulesOf } from '../base-rules.ts'
import type { Call } from '../server/call.ts'
import type { ReplyInfo, Reply, StreamEvent } from '../server/reply.ts'
import { plainWire } from '../server/wire.ts'
import type { TenantState } from '../tenant/tenant-state.ts'
import type { DeliveryRequest } from '../webhooks/delivery/delivery.ts'
import type { Modification, TenantHooks } from './modification.ts'

/** Throws on a gap or interpretation that does not exist. */
export function interpretationsOf(chosen: Partial<Interpretations>): Interpretations {
  for (const [gap, interpretation] of Object.entries(chosen)) {
    const row = gapIds.find((id) => id === gap)
    if (!row) throw new RangeError(`There is no gap ${JSON.stringify(gap)} to choose an interpretation for.`)
    if (!Object.hasOwn(gaps[row].interpretations, interpretation)) {
      const known = Object.keys(gaps[row].interpretations).join(', ')
      throw new RangeError(
        `${gap} has no interpretation ${JSON.stringify(interpretation)}; choose one of ${known}.`,
      )
    }
  }
  return { ...defaultInterpretations, ...chosen }
}

/** Each modification changes what the ones before it left; interpretations chosen outright win over theirs. */
export function applyModifications(
  state: TenantState,
  modifications: readonly Modification[],
  chosen: Partial<Interpretations> = {},
): void {
  const theirs = modifications.map(({ interpretations }) => interpretations ?? {})
  state.interpretations = interpretationsOf(Object.assign({}, ...theirs, chosen))
  state.rules = rulesOf(state.interpretations, state.identifiers)
  for (const modification of modifications)
    Object.assign(state.rules, modification.rules?.({ ...state.rules }, state))
  const wires = modifications.flatMap(({ wire }) => wire ?? [])
  state.wire = wires.length === 0 ? plainWire : Object.assign({}, plainWire, ...wires)
  state.hooks = modifications
    .flatMap((modification) => [modification, modification.remember?.(state) ?? {}])
    .filter(isHook)
}

function isHook(hooks: TenantHooks): boolean {
  return 'reply' in hooks || 'events' in hooks || 'bytes' in hooks || 'delivery' in hooks
}

export function hookReply(state: TenantState, reply: Reply, call: Call): Reply {
  return state.hooks.reduce((changed, hook) => hook.reply?.(changed, call, state) ?? changed, reply)
}

export function hookEvents(
  state: TenantState,
  events: AsyncIterable<StreamEvent>,
  about: ReplyInfo,
): AsyncIterable<StreamEvent> {
  return state.hooks.reduce((changed, hook) => hook.events?.(changed, about, state) ?? changed, events)
}

export function hookBytes(
  state: TenantState,
  chunks: AsyncIterable<Uint8Array>,
  about: ReplyInfo,
): AsyncIterable<Uint8Array> {
  return state.hooks.reduce((changed, hook) => hook.bytes?.(changed, about, state) ?? changed, chunks)
}

export function hookDelivery(
  state: TenantState,
  message: DeliveryRequest,
  about: DeliveryAbout,
): DeliveryRequest {
  return state.hooks.reduce((changed, hook) => hook.delivery?.(changed, about, state) ?? changed, message)
}
