/** Turns readings, faults and variants on in a world. */
import { defaultReadings, gapIds, gaps, type Readings } from '../../spec/index.ts'
import { rulesOf } from '../base-rules.ts'
import type { Call } from '../http/call.ts'
import type { About, Reply, StreamEvent } from '../http/reply.ts'
import { plainWire } from '../http/wire.ts'
import type { World } from '../world/world.ts'
import type { Message } from '../webhooks/delivery.ts'
import type { Deviation, DeliveryAbout, Hooks } from './deviation.ts'

/** Throws on a gap or reading that does not exist. */
export function readingsOf(chosen: Partial<Readings>): Readings {
  for (const [gap, reading] of Object.entries(chosen)) {
    const row = gapIds.find((id) => id === gap)
    if (!row) throw new RangeError(`There is no gap ${JSON.stringify(gap)} to choose a reading for.`)
    if (!Object.hasOwn(gaps[row].readings, reading)) {
      const known = Object.keys(gaps[row].readings).join(', ')
      throw new RangeError(`${gap} has no reading ${JSON.stringify(reading)}; choose one of ${known}.`)
    }
  }
  return { ...defaultReadings, ...chosen }
}

/** Each deviation changes what the ones before it left; readings chosen outright win over theirs. */
export function applyDeviations(
  world: World,
  deviations: readonly Deviation[],
  chosen: Partial<Readings> = {},
): void {
  const theirs = deviations.map(({ readings }) => readings ?? {})
  world.readings = readingsOf(Object.assign({}, ...theirs, chosen))
  world.rules = rulesOf(world.readings, world.identifiers)
  for (const deviation of deviations) Object.assign(world.rules, deviation.rules?.({ ...world.rules }, world))
  const wires = deviations.flatMap(({ wire }) => wire ?? [])
  world.wire = wires.length === 0 ? plainWire : Object.assign({}, plainWire, ...wires)
  world.hooks = deviations
    .flatMap((deviation) => [deviation, deviation.remember?.(world) ?? {}])
    .filter(isHook)
}

function isHook(hooks: Hooks): boolean {
  return 'reply' in hooks || 'events' in hooks || 'bytes' in hooks || 'delivery' in hooks
}

/** An answer as the hooks leave it. */
export function hookReply(world: World, reply: Reply, call: Call): Reply {
  return world.hooks.reduce((changed, hook) => hook.reply?.(changed, call, world) ?? changed, reply)
}

export function hookEvents(
  world: World,
  events: AsyncIterable<StreamEvent>,
  about: About,
): AsyncIterable<StreamEvent> {
  return world.hooks.reduce((changed, hook) => hook.events?.(changed, about, world) ?? changed, events)
}

export function hookBytes(
  world: World,
  chunks: AsyncIterable<Uint8Array>,
  about: About,
): AsyncIterable<Uint8Array> {
  return world.hooks.reduce((changed, hook) => hook.bytes?.(changed, about, world) ?? changed, chunks)
}

/** The request of an attempt as the hooks leave it. */
export function hookDelivery(world: World, message: Message, about: DeliveryAbout): Message {
  return world.hooks.reduce((changed, hook) => hook.delivery?.(changed, about, world) ?? changed, message)
}
