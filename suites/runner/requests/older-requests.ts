/** The older half of a driver. */
import type { Wire } from '../../wire/wire.ts'
import type { OlderDriver, OlderRequest } from '../../scenario/driver.ts'
import { olderRequest } from './older-request.ts'
import type { RequestDefaults } from './request.ts'
import { follow, only, termsOf, type ScenarioContext } from '../scenario-context.ts'

export function olderHalf(
  context: ScenarioContext,
  { wire, requestDefaults }: { wire: Wire; requestDefaults: RequestDefaults },
): OlderDriver {
  const send = (name: string, asked: OlderRequest = {}) => {
    const outgoing = olderRequest(name, asked, context.setting, requestDefaults)
    const turns = asked.read === undefined ? 1 : 0
    return follow(context, wire.send(outgoing, { ...termsOf([outgoing], context), turns }), only)
  }
  return { older: send, olderMore: send }
}
