/** Routes that bring a state about and leave it again. */
import type { Call } from '../server/call.ts'
import type { SimulatorLimits } from '../limits.ts'
import type { Tenant } from '../tenant.ts'
import { createdResponse, ok, refusing, type ControlResponse } from './answer.ts'
import { ControlRefusal } from './refusal.ts'
import { validBody } from './request.ts'
import { proveRoom } from './room.ts'
import { OpenStates, stateEntries } from './states.ts'

const openStates = new WeakMap<Tenant, OpenStates>()
function statesOf(tenant: Tenant): OpenStates {
  const known = openStates.get(tenant) ?? new OpenStates()
  openStates.set(tenant, known)
  return known
}

/** After a reset there is nothing to leave. */
export const forgetStates = (tenant: Tenant): void => void openStates.delete(tenant)

/** Throws a ControlRefusal while a state is entered: how to leave it cannot be stored. */
export function proveNoStates(tenant: Tenant): void {
  const [entered] = statesOf(tenant).entered
  if (entered)
    throw new ControlRefusal(
      409,
      `State \`${entered.state}\` is entered, which a snapshot cannot store: leave it with DELETE …/states/${entered.state}/${entered.handle}.`,
    )
}

const isState = (id: string): id is keyof typeof stateEntries => Object.hasOwn(stateEntries, id)

export function enterStateRoute(tenant: Tenant, call: Call, limits: SimulatorLimits): ControlResponse {
  const state = call.params['state'] ?? ''
  if (!isState(state)) throw new ControlRefusal(404, `State \`${state}\` cannot be entered here.`)
  const request = validBody(call, 'StateRequest')
  proveRoom(limits, 'states', statesOf(tenant).size)
  const { handle, setting } = refusing(409, () => statesOf(tenant).enter(tenant, state, request))
  return createdResponse({ handle, setting: { ...setting } })
}

export function leaveState(tenant: Tenant, call: Call): ControlResponse {
  const { state = '', handle = '' } = call.params
  if (statesOf(tenant).leave(state, handle)) return ok({ left: { state, handle } })
  throw new ControlRefusal(
    404,
    `State \`${state}\` was not entered with the handle \`${handle}\`, or was left already.`,
  )
}
