/** Webhooks as they are kept: with their secrets and custom headers, without which nobody could sign what waits. */
import { plainCodec } from './conversations.ts'

export const webhookCodec = plainCodec(({ webhooks: webhookCodec }) => webhookCodec)
