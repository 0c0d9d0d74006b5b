/** Removes a webhook that a killed run left, or one that was broken off: past the wire of the run, which sends nothing more. */
import { request } from 'undici'
import type { Target } from '../../config/target.ts'
import { dispatcherFor } from '../../wire/route.ts'
import type { CreatedWebhook } from '../../../reports/bundle/created.ts'
import { webhooksOf } from '../requests/manage-request.ts'

const timeoutMs = 30_000

/** Throws, in words, when it may still be there. */
export async function removeWebhook({ agent, webhook }: CreatedWebhook, target: Target): Promise<void> {
  const { session, headers, baseUrl } = target
  const place = `${webhooksOf(agent)}/${encodeURIComponent(webhook)}`
  if (!session)
    throw new Error(`removing ${place} takes a signed-in user, and the target file declares no session`)
  const dispatcher = dispatcherFor(target)
  try {
    const answer = await request(`${baseUrl}${place}`, {
      dispatcher,
      method: 'DELETE',
      headers: Object.fromEntries([...headers, ...session.headers]),
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    })
    await answer.body.dump()
    if (!isGone(answer.statusCode)) throw new Error(`DELETE ${place} was answered ${answer.statusCode}`)
  } finally {
    await dispatcher.close()
  }
}

/** What removes it says so, or knows nothing of it. */
export function isGone(status = 0): boolean {
  return (status >= 200 && status < 300) || status === 404 || status === 410
}
