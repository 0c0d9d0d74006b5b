/** The small changes to answers of the older chat variant that its faults are made of. */
import type { Call } from '../server/call.ts'
import type { JsonReply } from '../server/reply.ts'
import { isObject, type JsonObject } from '../json.ts'
import { fault, type Fault, type TenantHooks } from './modification.ts'

const interpretations = { 'GAP-OLDER-SERVED': 'yes' } as const

export function olderFault(row: Omit<Fault, 'kind' | 'interpretations'>): Fault {
  return fault({ ...row, interpretations })
}

type Operation = 'older-chat' | 'older-conversation'

/** Changes answers of one route that succeeded, or those of both that did not. */
export function onOlder(
  which: Operation | 'refusals',
  change: (reply: JsonReply, call: Call) => JsonReply,
): TenantHooks {
  return {
    reply: (reply, call) => {
      const { operation } = reply.about
      if (reply.kind !== 'json' || !operation.startsWith('older-')) return reply
      const concerned =
        which === 'refusals' ? reply.status >= 400 : operation === which && reply.status === 200
      return concerned ? change(reply, call) : reply
    },
  }
}

export function onOlderBody(
  which: Operation | 'refusals',
  change: (body: JsonObject, call: Call) => JsonObject,
): TenantHooks {
  return onOlder(which, (reply, call) =>
    isObject(reply.body) ? { ...reply, body: change(reply.body, call) } : reply,
  )
}

/** Changes what a conversation lists when it is read. */
export function onMessages(change: (said: readonly JsonObject[]) => JsonObject[]): TenantHooks {
  return onOlderBody('older-conversation', (body) => {
    const { messages = [] } = body
    return { ...body, messages: change(Array.isArray(messages) ? messages.filter(isObject) : []) }
  })
}

/** The body of a request that was accepted. */
export function askedIn({ body }: Call): JsonObject {
  const asked: unknown = JSON.parse(Buffer.from(body).toString('utf8'))
  return isObject(asked) ? asked : {}
}
