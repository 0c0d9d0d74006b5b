/** From what a scenario says to the bytes that are sent: every request to a webhook management route is built here. */
import { isObject } from '../../../spec/json.ts'
import type { Header } from '../../wire/exchange.ts'
import type { Outgoing } from '../../wire/recorder.ts'
import { bearerOf, jsonType, outgoing, senderOf, type RequestDefaults } from './request.ts'
import type { Setting } from '../../scenario/scenario.ts'
import type { ManageRequest } from '../../scenario/webhook-driver.ts'

/** Throws where the scenario manages webhooks as a signed-in user and does not declare that it needs one. */
export function manageRequest(
  name: string,
  asked: ManageRequest,
  setting: Setting,
  requestDefaults: RequestDefaults,
): Outgoing {
  const { agent = setting.agent, path = '', raw } = asked
  const place = `${webhooksOf(agent)}${path}`
  const { headers: needed = [], members = {} } = isCreation({ method: methodOf(asked), path: place })
    ? (setting.webhookCreation ?? {})
    : {}
  const body = isObject(asked.body) ? { ...members, ...asked.body } : asked.body
  const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body))
  const headers: readonly Header[] = [...(sent === undefined ? [] : [jsonType]), ...needed]
  const request = { method: methodOf(asked), path: place, body: sent ?? '', headers }
  return outgoing(name, request, asked, setting, requestDefaults, credentialsOf(asked, setting))
}

const methodOf = ({ method, body, raw }: ManageRequest): NonNullable<ManageRequest['method']> =>
  method ?? (body === undefined && raw === undefined ? 'GET' : 'POST')

export function webhooksOf(agent: string): string {
  return `/api/agents/${encodeURIComponent(agent)}/webhooks`
}

/** Whether a request makes a webhook, if it is answered 2xx. */
export function isCreation({ method, path }: Pick<Outgoing, 'method' | 'path'>): boolean {
  return method === 'POST' && /^\/api\/agents\/[^/?]+\/webhooks\/?(?:\?.*)?$/.test(path)
}

function credentialsOf({ as = 'session' }: ManageRequest, setting: Setting): readonly Header[] {
  if (as === 'session') {
    if (setting.session) return setting.session
    throw new Error('the scenario manages webhooks as a signed-in user; declare needs.session')
  }
  return bearerOf(senderOf({ as }, setting))
}
