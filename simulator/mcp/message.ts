/** Messages of JSON-RPC 2.0, one at a time: what came, and what is answered. */
import { isUtf8 } from 'node:buffer'
import { jsonReply, type ReplyInfo, type HeaderLine, type Reply } from '../server/reply.ts'
import { isObject, isShallow, type Json, type JsonObject } from '../json.ts'

export type RequestId = string | number

/** `silent`: a notification, or the answer to a request; nobody waits for a reply to it. */
export type Message =
  | { readonly is: 'request'; readonly id: RequestId; readonly method: string; readonly params: JsonObject }
  | { readonly is: 'silent' }
  | RpcError

export interface RpcError {
  readonly is: 'error'
  readonly code: number
  readonly words: string
}

export const rpcCodes = {
  unreadable: -32_700,
  invalidRequest: -32_600,
  unknownMethod: -32_601,
  invalidParams: -32_602,
} as const

export function rpcError(reason: keyof typeof rpcCodes, words: string): RpcError {
  return { is: 'error', code: rpcCodes[reason], words }
}

export function isRpcError(value: object): value is RpcError {
  return 'is' in value && value.is === 'error'
}

function parsed(bytes: Uint8Array): { readonly json: unknown } | RpcError {
  if (!isUtf8(bytes)) return rpcError('unreadable', 'The body is not UTF-8.')
  if (!isShallow(bytes)) return rpcError('invalidRequest', 'The message is nested too deep.')
  try {
    return { json: JSON.parse(Buffer.from(bytes).toString('utf8')) }
  } catch {
    return rpcError('unreadable', 'The body is not JSON.')
  }
}

export function parsedMessage(bytes: Uint8Array): Message {
  const read = parsed(bytes)
  if ('is' in read) return read
  const { json: value } = read
  if (!isObject(value)) return rpcError('invalidRequest', 'Send one JSON-RPC message, as an object.')
  const { jsonrpc, id, method, params = {} } = value as Partial<Record<string, Json>>
  if (jsonrpc !== '2.0') return rpcError('invalidRequest', 'jsonrpc must be "2.0".')
  if (method === undefined && ('result' in value || 'error' in value)) return { is: 'silent' }
  if (typeof method !== 'string') return rpcError('invalidRequest', 'method must be a string.')
  if (id === undefined) return { is: 'silent' }
  if (typeof id !== 'string' && typeof id !== 'number')
    return rpcError('invalidRequest', 'id must be a string or a number.')
  return isObject(params)
    ? { is: 'request', id, method, params }
    : rpcError('invalidRequest', 'params must be an object.')
}

export function resultReply(id: RequestId, result: JsonObject, about: ReplyInfo): Reply {
  return jsonReply(200, { jsonrpc: '2.0', id, result }, about)
}

/** `status` is that of the transport; a request that was read is answered 200, whatever comes of it. */
export function errorReply(
  status: number,
  id: RequestId | null,
  { code, words }: RpcError,
  about: ReplyInfo,
  headers: readonly HeaderLine[] = [],
): Reply {
  return jsonReply(status, { jsonrpc: '2.0', id, error: { code, message: words } }, about, headers)
}

export function silentReply(about: ReplyInfo): Reply {
  return { kind: 'bytes', status: 202, headers: [['Content-Length', '0']], chunks: [], about }
}
