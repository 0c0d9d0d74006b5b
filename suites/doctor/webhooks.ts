/** Whether webhooks can be managed on a target, and deliveries of it can come in here. */
import type { Equipment } from '../engine/equipment.ts'
import { manageRequest } from '../engine/manage-request.ts'
import { openReception } from '../engine/reception.ts'
import { ConfigurationError } from '../target/configuration-error.ts'
import type { Target } from '../target/target.ts'
import { fine, missing, wrong, type Sign } from './sign.ts'

/** Lists the webhooks of the plain agent. */
export async function lookAtSession(target: Target, equipment: Equipment): Promise<Sign> {
  const { session, agents } = target
  const setting = { agent: agents.plain, secondAgent: '', message: '', cast: {} }
  const asked = manageRequest(
    'look',
    {},
    session ? { ...setting, session: session.headers } : setting,
    equipment.letterhead('doctor'),
  )
  const { response, failure } = await equipment.wire.send(asked, { turns: 0 })
  if (!response)
    return missing('session', `listing webhooks got no answer (${failure?.kind}: ${failure?.message})`)
  if (response.status >= 200 && response.status < 300)
    return fine('session', 'the signed-in user may list the webhooks of agents.plain')
  return wrong(
    'session',
    `listing the webhooks of agents.plain was answered ${response.status}; sign in again, or look whether the plan has webhooks`,
  )
}

/** Sends a request to ourselves by the address that the target is given. */
export async function lookAtReceiver(target: Target, equipment: Equipment): Promise<readonly Sign[]> {
  const { receiver } = target
  if (receiver.mode === 'none') return []
  try {
    const reception = await openReception(receiver, { ...equipment, access: target })
    const trouble = await reception.trouble().finally(() => reception.close())
    const come = receiver.mode === 'public' ? receiver.publicUrl : 'this machine'
    return [
      trouble === null
        ? fine('receiver', `a request of our own to ${come} comes in`)
        : missing(
            'receiver',
            `${trouble}; mend receiver.publicUrl, or what leads from it to receiver.listen`,
          ),
    ]
  } catch (thrown) {
    if (thrown instanceof ConfigurationError) return [wrong('receiver.listen', thrown.message)]
    throw thrown
  }
}
