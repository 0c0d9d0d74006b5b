/** From what a scenario says to the bytes that are sent: every request of the older chat variant is built here. */
import type { Header } from '../../wire/exchange.ts'
import type { Outgoing, Wire } from '../../wire/recorder.ts'
import type { OlderRequest, OlderDriver, Setting } from '../../scenario/scenario.ts'
import { jsonBytes, overlaid, principalOf, senderOf, type RequestDefaults } from './request.ts'
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

export function olderRequest(
  name: string,
  asked: OlderRequest,
  setting: Setting,
  { scenario, userAgent, source }: RequestDefaults,
): Outgoing {
  const { as = 'older', read, timeouts } = asked
  const sender = senderOf({ as }, setting)
  const ordinary: readonly Header[] = [
    ...(sender ? [['Authorization', `Bearer ${sender.bearer}`] as const] : []),
    ...(read === undefined ? [['Content-Type', 'application/json'] as const] : []),
    ['User-Agent', userAgent],
  ]
  const headers = overlaid(ordinary, asked)
  const agents = senderOf({ as: as ?? 'older' }, setting)?.agents ?? '*'
  const own = agents === '*' ? setting.agent : (agents[0] ?? setting.agent)
  const agent = encodeURIComponent(asked.agent ?? own)
  return {
    scenario,
    name,
    method: read === undefined ? 'POST' : 'GET',
    path: read === undefined ? `/v1/agents/${agent}/chat` : `/v1/conversations/${encodeURIComponent(read)}`,
    headers,
    body: jsonBytes(read === undefined ? (asked.raw ?? JSON.stringify(bodyOf(asked, source))) : ''),
    principal: principalOf(headers, setting),
    timeouts,
  }
}

function bodyOf(asked: OlderRequest, source: RequestDefaults['source']): object {
  const { message = source.text(), conversation_id, metadata, stream } = asked
  return { message, conversation_id, metadata, stream }
}
