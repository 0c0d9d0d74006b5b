/** Routes for the time of a tenant. */
import type { components } from '../../spec/types/control.ts'
import type { Call } from '../server/call.ts'
import type { Json } from '../json.ts'
import type { Tenant } from '../tenant.ts'
import type { ClockSetting } from '../tenant/clock/clock.ts'
import { ok, controlError, refusing, type ControlResponse } from './answer.ts'
import { validBody } from './request.ts'

type ClockDocument = components['schemas']['ClockSetting']

/** Times are ISO strings in the document. */
export function clockFrom(document: ClockDocument): ClockSetting {
  if (document.mode !== 'frozen') return document
  return document.at === undefined ? { mode: 'frozen' } : { mode: 'frozen', at: Date.parse(document.at) }
}

function documentOf(setting: ClockSetting): ClockDocument {
  if (setting.mode !== 'frozen') return setting
  return setting.at === undefined
    ? { mode: 'frozen' }
    : { mode: 'frozen', at: new Date(setting.at).toISOString() }
}

function clockState({ clock }: Tenant): Json {
  const now = new Date(clock.now()).toISOString()
  return { now, setting: { ...documentOf(clock.setting) }, pending: clock.pending, nextInMs: clock.nextIn() }
}

export const readClock = (tenant: Tenant): ControlResponse => ok(clockState(tenant))

export function setClock(tenant: Tenant, call: Call): ControlResponse {
  const setting = clockFrom(validBody(call, 'ClockSetting'))
  refusing(400, () => tenant.clock.set(setting))
  return ok(clockState(tenant))
}

export async function advanceClock(tenant: Tenant, call: Call): Promise<ControlResponse> {
  const { ms } = validBody(call, 'AdvanceRequest')
  const { now, fired } = await tenant.clock.advance(ms).catch(controlError(400))
  return ok({ now: new Date(now).toISOString(), fired: fired.length, nextInMs: tenant.clock.nextIn() })
}
