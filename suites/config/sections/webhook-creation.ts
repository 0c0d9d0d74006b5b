/** What a creation of webhooks needs on this target beside what the contract shows. */
import { complain, type Reading } from '../file/reading.ts'
import { headersAt } from './service.ts'
import type { Target } from '../target.ts'
import type { TargetFile } from '../file/written.ts'

/** The scenarios send these members themselves, and judge what becomes of them. */
const ownMembers: readonly string[] = ['name', 'endpoint_url', 'events', 'description', 'custom_headers']
/** They say who sends, which differs from request to request. */
const senderHeaders: readonly string[] = ['authorization', 'cookie']

/** Empty where the file declares nothing. What is wrong is noted in `reading`. */
export function webhookCreationIn(
  { webhooks }: TargetFile,
  reading: Reading,
): Pick<Target, 'webhookCreation'> {
  const { headers = {}, members = {} } = webhooks?.create ?? {}
  if (Object.keys(headers).length + Object.keys(members).length === 0) return {}
  const path = ['webhooks', 'create'] as const
  for (const name of Object.keys(members).filter((one) => ownMembers.includes(one)))
    complain([...path, 'members', name], 'is sent by the suite itself; take it out', reading)
  for (const name of Object.keys(headers).filter((one) => senderHeaders.includes(one.toLowerCase())))
    complain([...path, 'headers', name], 'says who sends; give it under session.headers', reading)
  return { webhookCreation: { headers: headersAt(headers, [...path, 'headers'], reading), members } }
}
