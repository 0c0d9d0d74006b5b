/** From what a scenario says to the bytes that are sent: every request to a webhook management route is built here. */
import { isObject } from '../../../spec/json.ts'
import type { Header } from '../../wire/exchange.ts'
import type { Outgoing } from '../../wire/recorder.ts'
import { jsonBytes, overlaid, principalOf, senderOf, type RequestDefaults } from './request.ts'
import type { Setting } from '../../scenario/scenario.ts'
import type { ManageRequest } from '../../scenario/webhook-driver.ts'

/** Throws where the scenario manages webhooks as a signed-in user and does not declare that it needs one. */
export function manageRequest(
  name: string,
  asked: ManageRequest,
  setting: Setting,
  { scenario, userAgent }: RequestDefaults,
): Outgoing {
  const { agent = setting.agent, path = '', raw } = asked
  const place = `${webhooksOf(agent)}${path}`
  const { headers: needed = [], members = {} } = isCreation({ method: methodOf(asked), path: place })
    ? (setting.webhookCreation ?? {})
    : {}
  const body = isObject(asked.body) ? { ...members, ...asked.body } : asked.body
  const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body))
  const ordinary: readonly Header[] = [
    ...credentialsOf(asked, setting),
    ...(sent === undefined ? [] : [['Content-Type', 'application/json'] as const]),
    ['User-Agent', userAgent],
    ...needed,
  ]
  const headers = overlaid(ordinary, asked)
  return {
    scenario,
    name,
    method: methodOf(asked),
    path: place,
    headers,
    body: jsonBytes(sent ?? ''),
    principal: principalOf(headers, setting),
  }
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
  const sender = senderOf({ as }, setting)
  return sender ? [['Authorization', `Bearer ${sender.bearer}`]] : []
}
