/** What to do about a refusal, by its code or else by its status. */
import { chatErrors, receiptErrors, type ChatError } from '../../spec/errors.ts'

const ofChat = new Map<string, ChatError>(Object.entries(chatErrors))
const ofReceipts = new Map<string, string>(Object.entries(receiptErrors))

/** Whether the contract has this code for this status; what comes within a 200 may have any. */
export function isKnownCode(word: string, status: number): boolean {
  return ofReceipts.has(word) || (ofChat.has(word) && (status < 400 || ofChat.get(word)?.status === status))
}

const later = 'Send the same request again later, with the same idempotency key.'

const byStatus: Readonly<Record<number, string>> = {
  400: 'Correct the request; the body says what is wrong with it.',
  401: 'Check the API key: it is missing, wrong, or was taken back.',
  402: 'Add credits.',
  403: 'Use a key that has the permission and may reach the agent, on a plan that allows it.',
  404: 'Check the id, and that the key may reach what it names.',
  409: 'Read what the body says of the earlier request before sending anything; never use a new key for it.',
  429: 'Wait for `retryAfterSeconds`, then send the same request with the same idempotency key.',
}

const redirected = 'A key is sent to no other address than `baseUrl`: set it to where the service answers.'

/** `status` 0 is a redirect that the runtime hides. */
export function adviceFor(code: string | null, status: number): string {
  const ofCode = ofChat.get(code ?? '')?.advice ?? ofReceipts.get(code ?? '')
  if (ofCode !== undefined) return ofCode
  if (status < 400) return redirected
  return byStatus[status] ?? (status >= 500 ? later : 'The body says more.')
}
