/** Routes for the time of a world. */
import type { Call } from '../http/call.ts'
import type { Json } from '../json.ts'
import type { Tenant } from '../tenant.ts'
import type { ClockSetting } from '../world/clock.ts'
import { ok, type Answer } from './answer.ts'
import { bodyOf } from './request.ts'

/** A clock as the document spells it: moments are ISO texts there. */
export type SpeltClock =
  | { mode: 'real' }
  | { mode: 'frozen'; at?: string }
  | { mode: 'offset'; offsetMs: number }
  | { mode: 'scaled'; factor: number }

export function clockFrom(spelt: SpeltClock): ClockSetting {
  if (spelt.mode === 'offset') return { mode: 'offset', ms: spelt.offsetMs }
  if (spelt.mode !== 'frozen') return spelt
  return spelt.at === undefined ? { mode: 'frozen' } : { mode: 'frozen', at: Date.parse(spelt.at) }
}

function clockState({ clock }: Tenant): Json {
  const { setting } = clock
  const spelt: Json =
    setting.mode === 'offset'
      ? { mode: 'offset', offsetMs: setting.ms }
      : setting.mode === 'frozen'
        ? { mode: 'frozen', ...(setting.at === undefined ? {} : { at: new Date(setting.at).toISOString() }) }
        : { ...setting }
  return { now: new Date(clock.now()).toISOString(), setting: spelt, pending: clock.pending }
}

export const readClock = (tenant: Tenant): Answer => ok(clockState(tenant))

export function setClock(tenant: Tenant, call: Call): Answer {
  tenant.clock.set(clockFrom(bodyOf<SpeltClock>(call, 'ClockSetting')))
  return ok(clockState(tenant))
}

export async function advanceClock(tenant: Tenant, call: Call): Promise<Answer> {
  const { now, fired } = await tenant.clock.advance(bodyOf<{ ms: number }>(call, 'AdvanceRequest').ms)
  return ok({ now: new Date(now).toISOString(), fired: fired.length })
}
