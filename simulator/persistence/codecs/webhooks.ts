/** Webhooks as they are kept: with their secrets and custom headers, without which nobody could sign what waits. */
import { plain } from './conversations.ts'

export const webhooks = plain(({ webhooks }) => webhooks)
