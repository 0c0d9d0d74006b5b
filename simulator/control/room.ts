/** Whether a tenant has room for what is given to it. */
import type { ReplyRule } from '../tenant/reply-rule.ts'
import { turnPlanOf } from '../chat/plan.ts'
import type { NetworkFault } from '../tenant/network-fault.ts'
import type { LimitName, SimulatorLimits } from '../limits.ts'
import { ControlRefusal } from './guard.ts'

/** What is limited, as messages call it, and how to make room. */
const limited = {
  tenants: ['tenants', 'end one with DELETE, or start the simulator with a higher limit'],
  replyRules: ['reply rules', 'remove them with POST …/reset'],
  networkFaults: ['network faults', 'clear them with DELETE …/network-faults'],
  failures: ['failures', 'clear them with DELETE …/failures'],
  barriers: ['barriers', 'release one'],
  journalStreams: ['streams of the journal', 'close one'],
  snapshots: ['snapshots', 'delete one with DELETE …/snapshots/{name}'],
  states: ['states', 'leave one, or reset the tenant with POST …/reset'],
} as const satisfies Partial<Record<LimitName, readonly [noun: string, remedy: string]>>

/** Throws a ControlRefusal where `more` of something would be too many. */
export function proveRoom(
  limits: SimulatorLimits,
  name: keyof typeof limited,
  there: number,
  more = 1,
): void {
  if (there + more <= limits[name]) return
  const most = limits[name].toLocaleString('en')
  const [noun, remedy] = limited[name]
  throw new ControlRefusal(409, `There may be ${most} ${noun}, and there are ${there}: ${remedy}.`)
}

/** Throws a ControlRefusal for one that would take too much each time that it is met. */
function proveSizes({ itemBytes }: SimulatorLimits, kind: string, items: readonly object[]): void {
  for (const [index, item] of items.entries()) {
    const bytes = Buffer.byteLength(JSON.stringify(item))
    if (bytes > itemBytes)
      throw new ControlRefusal(409, `${kind} ${index + 1} has ${bytes} bytes: give at most ${itemBytes}.`)
  }
}

const longMessage = 'x'.repeat(10_000)

export function proveReplyRules(
  limits: SimulatorLimits,
  there: number,
  replyRules: readonly ReplyRule[],
): void {
  proveRoom(limits, 'replyRules', there, replyRules.length)
  proveSizes(limits, 'Reply rule', replyRules)
  for (const [index, { reply }] of replyRules.entries()) {
    const { length } = turnPlanOf(reply, longMessage).response
    if (length > limits.replyCharacters)
      throw new ControlRefusal(
        409,
        `Reply rule ${index + 1} replies with up to ${length} characters: give at most ${limits.replyCharacters}.`,
      )
  }
}

export function proveNetworkFaults(
  limits: SimulatorLimits,
  there: number,
  networkFaults: readonly NetworkFault[],
): void {
  proveRoom(limits, 'networkFaults', there, networkFaults.length)
  proveSizes(limits, 'Network fault', networkFaults)
}
