/** Whether a world has room for what is given to it. */
import { planOf } from '../chat/plan.ts'
import type { Scenario } from '../chat/scenario.ts'
import type { Disturbance } from '../disturbance/disturbance.ts'
import type { LimitName, Limits } from '../limits.ts'
import { ControlRefusal } from './refusal.ts'

/** What of a name there is, and what makes room for more. */
const remedies = {
  tenants: 'end one with DELETE, or start the simulator with a higher limit',
  scenarios: 'begin the world anew with POST …/reset',
  disturbances: 'clear them with DELETE …/disturbances',
  barriers: 'release one',
  states: 'leave one, or begin the world anew with POST …/reset',
} as const satisfies Partial<Record<LimitName, string>>

/** Throws a ControlRefusal where `more` of something would be too many. */
export function proveRoom(limits: Limits, name: keyof typeof remedies, there: number, more = 1): void {
  if (there + more <= limits[name]) return
  const most = limits[name].toLocaleString('en')
  throw new ControlRefusal(409, `There may be ${most} ${name}, and there are ${there}: ${remedies[name]}.`)
}

/** Throws a ControlRefusal for one that would take too much each time that it is met. */
export function proveSizes({ itemBytes }: Limits, kind: string, items: readonly object[]): void {
  for (const [index, item] of items.entries()) {
    const bytes = Buffer.byteLength(JSON.stringify(item))
    if (bytes > itemBytes)
      throw new ControlRefusal(409, `${kind} ${index + 1} has ${bytes} bytes: give at most ${itemBytes}.`)
  }
}

const longMessage = 'x'.repeat(10_000)

export function proveScenarios(limits: Limits, there: number, scenarios: readonly Scenario[]): void {
  proveRoom(limits, 'scenarios', there, scenarios.length)
  proveSizes(limits, 'Scenario', scenarios)
  for (const [index, { reply }] of scenarios.entries()) {
    const { length } = planOf(reply, longMessage).response
    if (length > limits.replyCharacters)
      throw new ControlRefusal(
        409,
        `Scenario ${index + 1} replies with up to ${length} characters: at most ${limits.replyCharacters} are sent.`,
      )
  }
}

export function proveDisturbances(limits: Limits, there: number, disturbances: readonly Disturbance[]): void {
  proveRoom(limits, 'disturbances', there, disturbances.length)
  proveSizes(limits, 'Disturbance', disturbances)
}
