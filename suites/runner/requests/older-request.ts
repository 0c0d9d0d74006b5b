/** From what a scenario says to the bytes that are sent: every request of the older chat variant is built here. */
import type { OlderRequest, OlderDriver } from '../../scenario/scenario.ts'
import { jsonType, outgoing, senderOf, type RequestDefaults } from './request.ts'
import { follow, only, termsOf, type ScenarioContext, type ScenarioDeps } from '../scenario-context.ts'

export function olderHalf(context: ScenarioContext, { wire, requestDefaults }: ScenarioDeps): OlderDriver {
  const send = (name: string, asked: OlderRequest = {}) => {
    const setting = context.setting
    const { as = 'older', read } = asked
    const agents = senderOf({ as: as ?? 'older' }, setting)?.agents ?? '*'
    const own = agents === '*' ? setting.agent : (agents[0] ?? setting.agent)
    const agent = encodeURIComponent(asked.agent ?? own)
    const sent =
      read === undefined
        ? {
            method: 'POST',
            path: `/v1/agents/${agent}/chat`,
            body: asked.raw ?? JSON.stringify(bodyOf(asked, requestDefaults.source)),
            headers: [jsonType],
          }
        : { method: 'GET', path: `/v1/conversations/${encodeURIComponent(read)}`, body: '', headers: [] }
    const request = outgoing(name, sent, { ...asked, as }, setting, requestDefaults)
    const turns = asked.read === undefined ? 1 : 0
    return follow(context, wire.send(request, { ...termsOf([request], context), turns }), only)
  }
  return { older: send, olderMore: send }
}

function bodyOf(asked: OlderRequest, source: RequestDefaults['source']): object {
  const { message = source.text(), conversation_id, metadata, stream } = asked
  return { message, conversation_id, metadata, stream }
}
