/** Routes for snapshots: the state of a tenant as a document, and states saved under a name in memory. */
import type { Call } from '../edge/reply.ts'
import type { Json, JsonObject } from '../json.ts'
import type { SimulatorLimits } from '../limits.ts'
import { remembered } from '../tenant/book.ts'
import type { Snapshot } from '../persistence/snapshot.ts'
import type { Tenant } from '../tenant-handle.ts'
import { ok, refusing, type ControlResponse, createdResponse, type TenantRoutes } from './answer.ts'
import { tenantState } from './describe.ts'
import { ControlRefusal } from './guard.ts'
import { validBody } from './request.ts'
import { proveRoom } from './room.ts'
import { OpenStates, stateEntries } from './states.ts'

const openStates = new WeakMap<Tenant, OpenStates>()
const statesOf = (tenant: Tenant): OpenStates => remembered(openStates, tenant, () => new OpenStates())

/** After a reset there is nothing to leave. */
export const forgetStates = (tenant: Tenant): void => void openStates.delete(tenant)

/** Throws a ControlRefusal while a state is entered: how to leave it cannot be stored. */
function proveNoStates(tenant: Tenant): void {
  const [entered] = statesOf(tenant).entered
  if (entered)
    throw new ControlRefusal(
      409,
      `State \`${entered.state}\` is entered, which a snapshot cannot store: leave it with DELETE …/states/${entered.state}/${entered.handle}.`,
    )
}

const isState = (id: string): id is keyof typeof stateEntries => Object.hasOwn(stateEntries, id)

interface SavedSnapshot {
  readonly at: string
  readonly text: Uint8Array
}

const savedSnapshots = new WeakMap<Tenant, Map<string, SavedSnapshot>>()
const savedOf = (tenant: Tenant): Map<string, SavedSnapshot> =>
  remembered(savedSnapshots, tenant, () => new Map<string, SavedSnapshot>())

/** Throws a ControlRefusal for a large one, and while a turn is in flight, a state is entered or a barrier is set. */
function snapshotOf(tenant: Tenant, { snapshotBytes }: SimulatorLimits): SavedSnapshot {
  proveNoStates(tenant)
  const at = new Date(tenant.clock.now()).toISOString()
  return { at, text: refusing(409, () => tenant.snapshotText(snapshotBytes)) }
}

const shown = (name: string, { at, text }: SavedSnapshot): JsonObject => ({ name, at, bytes: text.length })

/** Throws a ControlRefusal where the saved snapshots and one of so many bytes would be too many, or too large. */
function proveSnapshotRoom(tenant: Tenant, name: string, bytes: number, limits: SimulatorLimits): void {
  const others = [...savedOf(tenant)].filter(([other]) => other !== name)
  proveRoom(limits, 'snapshots', others.length)
  const sum = others.reduce((all, [, { text }]) => all + text.length, bytes)
  if (sum > limits.snapshotBytes)
    throw new ControlRefusal(
      409,
      `The snapshots of this tenant would have ${sum} bytes, more than ${limits.snapshotBytes}: delete others, or download this one.`,
    )
}

function savedAs(tenant: Tenant, call: Call): [name: string, saved: SavedSnapshot] {
  const name = call.params['name'] ?? ''
  const saved = savedOf(tenant).get(name)
  if (saved) return [name, saved]
  const names = [...savedOf(tenant).keys()]
  const there = names.length === 0 ? 'there is none yet' : `there are: ${names.join(', ')}`
  throw new ControlRefusal(404, `There is no snapshot \`${name}\` of this tenant; ${there}.`)
}

function restored(tenant: Tenant, document: Json): ControlResponse {
  // The tenant proves that it is a snapshot.
  refusing(409, () => tenant.restore(document as unknown as Snapshot))
  forgetStates(tenant)
  return ok(tenantState(tenant))
}

export const snapshotRoutes: TenantRoutes = {
  'GET /snapshot': (tenant, _call, limits) => ({
    status: 200,
    text: snapshotOf(tenant, limits).text,
  }),
  'PUT /snapshot'(tenant, call) {
    return restored(tenant, validBody(call, 'Snapshot') as Json)
  },
  'GET /snapshots': (tenant) =>
    ok({ snapshots: [...savedOf(tenant)].map(([name, saved]) => shown(name, saved)) }),
  'GET /snapshots/:name': (tenant, call) => ({
    status: 200,
    text: savedAs(tenant, call)[1].text,
  }),
  'PUT /snapshots/:name'(tenant, call, limits) {
    const name = call.params['name'] ?? ''
    if (!/^[\w.-]{1,64}$/.test(name))
      throw new ControlRefusal(
        400,
        `The name ${JSON.stringify(name)} is invalid: give 1 to 64 letters, digits, dots, dashes and underscores.`,
      )
    proveSnapshotRoom(tenant, name, 0, limits)
    const one = snapshotOf(tenant, limits)
    proveSnapshotRoom(tenant, name, one.text.length, limits)
    savedOf(tenant).set(name, one)
    return ok(shown(name, one))
  },
  'DELETE /snapshots/:name'(tenant, call) {
    const [name] = savedAs(tenant, call)
    savedOf(tenant).delete(name)
    return ok({ deleted: name })
  },
  'POST /snapshots/:name/restore'(tenant, call) {
    const [, { text }] = savedAs(tenant, call)
    return restored(tenant, JSON.parse(Buffer.from(text).toString()) as Json)
  },
  'POST /states/:state'(tenant, call, limits) {
    const state = call.params['state'] ?? ''
    if (!isState(state)) throw new ControlRefusal(404, `State \`${state}\` cannot be entered here.`)
    const request = validBody(call, 'StateRequest')
    proveRoom(limits, 'states', statesOf(tenant).size)
    const { handle, setting } = refusing(409, () => statesOf(tenant).enter(tenant, state, request))
    return createdResponse({ handle, setting: { ...setting } })
  },
  'DELETE /states/:state/:handle'(tenant, call) {
    const { state = '', handle = '' } = call.params
    if (statesOf(tenant).leave(state, handle)) return ok({ left: { state, handle } })
    throw new ControlRefusal(
      404,
      `State \`${state}\` was not entered with the handle \`${handle}\`, or was left already.`,
    )
  },
}
