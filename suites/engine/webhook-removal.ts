/** Removes a webhook that a killed run left. */
import { request } from 'undici'
import type { Target } from '../target/target.ts'
import type { CreatedWebhook } from './created.ts'
import { webhooksOf } from './manage-request.ts'
import { isGone } from './webhook-play.ts'

const patienceMs = 30_000

/** Throws, in words, when it may still be there. */
export async function removeWebhook({ agent, webhook }: CreatedWebhook, target: Target): Promise<void> {
  const { session, headers, baseUrl } = target
  const place = `${webhooksOf(agent)}/${encodeURIComponent(webhook)}`
  if (!session)
    throw new Error(`removing ${place} takes a signed-in user, and the target file declares no session`)
  const answer = await request(`${baseUrl}${place}`, {
    method: 'DELETE',
    headers: Object.fromEntries([...headers, ...session.headers]),
    headersTimeout: patienceMs,
    bodyTimeout: patienceMs,
  })
  await answer.body.dump()
  if (!isGone(answer.statusCode)) throw new Error(`DELETE ${place} was answered ${answer.statusCode}`)
}
