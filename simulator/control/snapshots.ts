/** Routes for snapshots: the state of a tenant as a document, and states saved under a name in memory. */
import type { Call } from '../server/call.ts'
import type { Json, JsonObject } from '../json.ts'
import type { SimulatorLimits } from '../limits.ts'
import { snapshotIn } from '../persistence/snapshot/document.ts'
import type { Tenant } from '../tenant.ts'
import { ok, refusing, type ControlResponse } from './answer.ts'
import { tenantState } from './describe.ts'
import { ControlRefusal } from './refusal.ts'
import { validBody } from './request.ts'
import { proveRoom } from './room.ts'
import { forgetStates, proveNoStates } from './state-routes.ts'

interface SavedSnapshot {
  /** Time of the tenant when it was saved. */
  readonly at: string
  /** The document as JSON. */
  readonly text: string
}

const savedSnapshots = new WeakMap<Tenant, Map<string, SavedSnapshot>>()

function savedOf(tenant: Tenant): Map<string, SavedSnapshot> {
  const known = savedSnapshots.get(tenant) ?? new Map<string, SavedSnapshot>()
  savedSnapshots.set(tenant, known)
  return known
}

/** Throws a ControlRefusal while a turn is in flight, a state is entered or a barrier is set. */
function snapshotText(tenant: Tenant): string {
  proveNoStates(tenant)
  return JSON.stringify(refusing(409, () => tenant.snapshot()))
}

const documentIn = (text: string): Json => JSON.parse(text) as Json

export const downloadSnapshot = (tenant: Tenant): ControlResponse => ok(documentIn(snapshotText(tenant)))

export const listSnapshots = (tenant: Tenant): ControlResponse =>
  ok({ snapshots: [...savedOf(tenant)].map(([name, saved]) => shown(name, saved)) })

const shown = (name: string, { at, text }: SavedSnapshot): JsonObject => ({
  name,
  at,
  bytes: Buffer.byteLength(text),
})

/** Replaces a snapshot of the same name. */
export function saveSnapshot(tenant: Tenant, call: Call, limits: SimulatorLimits): ControlResponse {
  const name = call.params['name'] ?? ''
  if (!/^[\w.-]{1,64}$/.test(name))
    throw new ControlRefusal(
      400,
      `The name ${JSON.stringify(name)} is invalid: give 1 to 64 letters, digits, dots, dashes and underscores.`,
    )
  const [saved, others] = [savedOf(tenant), [...savedOf(tenant)].filter(([other]) => other !== name)]
  proveRoom(limits, 'snapshots', others.length)
  const one = { at: new Date(tenant.clock.now()).toISOString(), text: snapshotText(tenant) }
  const bytes = [...others.map(([, { text }]) => text), one.text].reduce(
    (sum, text) => sum + Buffer.byteLength(text),
    0,
  )
  if (bytes > limits.snapshotBytes)
    throw new ControlRefusal(
      409,
      `The snapshots of this tenant would have ${bytes} bytes, more than ${limits.snapshotBytes}: delete others, or download this one.`,
    )
  saved.set(name, one)
  return ok(shown(name, one))
}

function savedAs(tenant: Tenant, call: Call): [name: string, saved: SavedSnapshot] {
  const name = call.params['name'] ?? ''
  const saved = savedOf(tenant).get(name)
  if (saved) return [name, saved]
  const names = [...savedOf(tenant).keys()]
  const there = names.length === 0 ? 'there is none yet' : `there are: ${names.join(', ')}`
  throw new ControlRefusal(404, `There is no snapshot \`${name}\` of this tenant; ${there}.`)
}

export const readSaved = (tenant: Tenant, call: Call): ControlResponse =>
  ok(documentIn(savedAs(tenant, call)[1].text))

export function deleteSnapshot(tenant: Tenant, call: Call): ControlResponse {
  const [name] = savedAs(tenant, call)
  savedOf(tenant).delete(name)
  return ok({ deleted: name })
}

export const restoreSaved = (tenant: Tenant, call: Call): Promise<ControlResponse> =>
  restored(tenant, documentIn(savedAs(tenant, call)[1].text))

export const restoreDocument = (tenant: Tenant, call: Call): Promise<ControlResponse> =>
  restored(tenant, validBody(call, 'Snapshot') as Json)

async function restored(tenant: Tenant, document: Json): Promise<ControlResponse> {
  refusing(409, () => tenant.restore(snapshotIn(document)))
  forgetStates(tenant)
  await tenant.state.changes.settled()
  return ok(tenantState(tenant))
}
