/** Whether webhooks can be managed on a target, and deliveries of it can come in here. */
import type { RunContext } from '../runner/run-context.ts'
import { manageRequest } from '../runner/requests/manage-request.ts'
import { openInboundReceiver } from '../runner/receiver/inbound-receiver.ts'
import type { ManageRequest } from '../scenario/webhook-driver.ts'
import { isGone } from '../runner/receiver/webhook-removal.ts'
import { ConfigurationError } from '../config/configuration-error.ts'
import type { Target } from '../config/target.ts'
import { notCreated } from '../assertions/not-created.ts'
import { wasAccepted } from '../webhooks/assertions/management/managed.ts'
import { member } from '../wire/body.ts'
import type { Exchange } from '../wire/exchange.ts'
import { fine, missing, unknownSign, wrong, type DoctorResult } from './sign.ts'

/** Lists the webhooks of the plain agent. */
export async function lookAtSession(target: Target, runContext: RunContext): Promise<DoctorResult> {
  const { response, failure } = await manage('look', {}, target, runContext)
  if (!response)
    return missing('session', `listing webhooks got no answer (${failure?.kind}: ${failure?.message})`)
  if (response.status >= 200 && response.status < 300)
    return fine('session', 'the signed-in user may list the webhooks of agents.plain')
  return wrong(
    'session',
    `listing the webhooks of agents.plain was answered ${response.status}; ${adviceOn(response.status)}`,
  )
}

const adviceOn = (status: number): string =>
  status === 401
    ? 'check the name and the value of the header in session.headers, and sign in again'
    : status === 404
      ? 'check the id in agents.plain, and that it belongs to the signed-in user'
      : 'sign in again, or check that the plan has webhooks'

/** Creates a webhook of the plain agent that nothing is delivered to, and removes it. */
export async function lookAtCreation(target: Target, runContext: RunContext): Promise<DoctorResult> {
  const about = 'webhooks.create'
  const creation = await manage('creation', { body: unused }, target, runContext)
  const id = member(creation, '/id')
  if (!wasAccepted(creation)) return wrong(about, notCreated(creation))
  if (typeof id !== 'string') return unknownSign(about, notCreated(creation))
  const path = `/${encodeURIComponent(id)}`
  const { response } = await manage('removal', { method: 'DELETE', path }, target, runContext)
  return isGone(response?.status)
    ? fine(about, 'the signed-in user may create a webhook of agents.plain; it was removed')
    : missing(
        about,
        `the webhook ${id} was created, and its removal was answered ${response?.status ?? 'nothing'}; remove it`,
      )
}

const unused = {
  name: 'touchstone doctor',
  endpoint_url: 'https://example.com/touchstone/doctor',
  events: ['payment.rejected'],
}

function manage(
  name: string,
  asked: ManageRequest,
  { session, agents, webhookCreation }: Target,
  runContext: RunContext,
): Promise<Exchange> {
  const setting = {
    agent: agents.plain,
    secondAgent: '',
    message: '',
    cast: {},
    ...(session ? { session: session.headers } : {}),
    ...(webhookCreation ? { webhookCreation } : {}),
  }
  const request = manageRequest(name, asked, setting, runContext.requestDefaults('doctor'))
  return runContext.wire.send(request, { turns: 0 })
}

/** Sends a request to ourselves by the address that the target is given. */
export async function lookAtReceiver(
  target: Target,
  runContext: RunContext,
): Promise<readonly DoctorResult[]> {
  const { receiver } = target
  if (receiver.mode === 'none') return []
  try {
    const inbound = await openInboundReceiver(receiver, { ...runContext, access: target })
    const trouble = await inbound.trouble().finally(() => inbound.close())
    const come = receiver.mode === 'public' ? receiver.publicUrl : 'this machine'
    return [
      trouble === null
        ? fine('receiver', `a request of our own to ${come} comes in`)
        : missing('receiver', `${trouble}; fix receiver.publicUrl, or what leads from it to receiver.listen`),
    ]
  } catch (thrown) {
    if (thrown instanceof ConfigurationError) return [wrong('receiver.listen', thrown.message)]
    throw thrown
  }
}
