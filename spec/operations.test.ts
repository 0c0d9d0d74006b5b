/** Held by `npm run types`: each line under an expected error compiles if the types forget what they are for. */
import { expectTypeOf, test } from 'vitest'
import type {
  ChatReply,
  ChatRequest,
  FailedReceipt,
  OperationReply,
  RequestBody,
  StreamEvent,
  control,
} from './index.ts'
import type { PathParameters } from './operations.ts'

const reply: ChatReply = { response: 'Hi.', conversation_id: 'c', credits_used: 1, credits_remaining: 9 }

test('a documented answer compiles', () => {
  const events: StreamEvent[] = [
    { type: 'token', token: 'Hi.' },
    { type: 'done', ...reply },
  ]
  const answers: OperationReply<'sendChatMessage'>[] = [
    { status: 200, body: reply },
    { status: 200, events },
    { status: 429, body: { error: 'RATE_LIMITED', retry_after_seconds: 1, limit: 60, remaining: 0 } },
  ]
  const gone: OperationReply<'deleteWebhook'> = { status: 204 }
  expectTypeOf(answers).items.toExtend<{ status: number }>()
  expectTypeOf(gone).toExtend<{ status: 204 }>()
})

test('an undocumented status, body, event or member does not', () => {
  // @ts-expect-error 418 is not a status of the chat route
  const status: OperationReply<'sendChatMessage'> = { status: 418, body: { error: 'A teapot.' } }
  // @ts-expect-error a 429 says when to come back
  const body: OperationReply<'sendChatMessage'> = { status: 429, body: { error: 'RATE_LIMITED' } }
  // @ts-expect-error there is no event of this type
  const event: OperationReply<'sendChatMessage'> = { status: 200, events: [{ type: 'tokn', token: 'Hi.' }] }
  // @ts-expect-error a failed receipt has a resolution
  const receipt: FailedReceipt = { status: 'failed', error: { code: 'OUTCOME_UNCERTAIN' } }
  // @ts-expect-error the member is called message
  const request: RequestBody<'sendChatMessage'> = { mesage: 'Hello' }
  expectTypeOf([status, body, event, receipt, request]).toBeArray()
})

test('bodies and path parameters are those of the documents', () => {
  expectTypeOf<RequestBody<'sendChatMessage'>>().toEqualTypeOf<ChatRequest>()
  expectTypeOf<RequestBody<'createBarrier'>>().toEqualTypeOf<control.BarrierRequest>()
  expectTypeOf<RequestBody<'readTask'>>().toBeNever()
  expectTypeOf<PathParameters<'updateWebhook'>>().toEqualTypeOf<{ agentId: string; webhookId: string }>()
})
