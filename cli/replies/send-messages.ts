/** Sends messages to an agent in one conversation, until one is refused. */
import { randomUUID } from 'node:crypto'
import { chatErrors, chatStatuses } from '../../spec/index.ts'
import type { Io } from '../io.ts'
import { codeOf } from '../values.ts'
import type { Service } from './service.ts'
import { parseTurn, type RecordedTurn } from './turn-response.ts'
import { objectIn, textOf, type Members } from './json.ts'

export interface OutgoingConversation {
  agent: string
  key: string
  messages: readonly string[]
  stream: boolean
}

export interface SentMessages {
  turns: readonly RecordedTurn[]
  /** Why it stopped before the last message, or null. */
  stopped: string | null
}

export async function sendMessages(
  service: Service,
  conversation: OutgoingConversation,
  io: Io,
): Promise<SentMessages> {
  const turns: RecordedTurn[] = []
  let conversationId: string | undefined
  for (const [index, message] of conversation.messages.entries()) {
    const place = `turn ${index + 1} of ${conversation.messages.length}`
    const turn = await sendMessage(service, conversation, message, conversationId, io).catch(
      (error: unknown) => codeOf(error),
    )
    if (typeof turn === 'string')
      return { turns, stopped: `${place} got no response (${turn}); its outcome is unknown` }
    const why = refusal(turn)
    if (why !== null && turn.response.status !== 200)
      return { turns, stopped: `${place} was refused: ${why}` }
    turns.push(turn)
    if (why !== null) return { turns, stopped: `${place} ${why}` }
    conversationId = textOf(parseTurn(turn).reply?.['conversation_id']) ?? conversationId
  }
  return { turns, stopped: null }
}

async function sendMessage(
  service: Service,
  { agent, key, stream }: OutgoingConversation,
  message: string,
  conversationId: string | undefined,
  io: Io,
): Promise<RecordedTurn> {
  const request: Members = {
    message,
    ...(stream && { stream }),
    ...(conversationId !== undefined && { conversation_id: conversationId }),
  }
  const sentAt = io.now()
  const response = await service.send({
    method: 'POST',
    path: `/api/v1/chat/${encodeURIComponent(agent)}`,
    headers: [
      ['Authorization', `Bearer ${key}`],
      ['Content-Type', 'application/json'],
      ['Idempotency-Key', `record-${randomUUID()}`],
    ],
    body: Buffer.from(JSON.stringify(request)),
    signal: io.stopped,
  })
  return { request, sentAt, response }
}

/** Why a turn failed and what to do, or null. */
function refusal(turn: RecordedTurn): string | null {
  const { status, chunks } = turn.response
  if (status !== 200) {
    const body = Buffer.concat(chunks.map(({ bytes }) => bytes)).toString()
    const seconds = objectIn(body)?.['retry_after_seconds']
    const wait = typeof seconds === 'number' ? ` Wait ${seconds} s before the next attempt.` : ''
    return `${status}${advice(status, body)}${wait}`
  }
  const { reply, error } = parseTurn(turn)
  if (error !== undefined) return 'failed with an error, which is recorded'
  return reply ? null : 'ended without a reply'
}

/** The contract does not show where the body has the code, so any place counts. */
function advice(status: number, body: string): string {
  const known = Object.entries(chatErrors).find(([code]) => body.includes(code))
  if (known) return ` ${known[0]}. ${known[1].advice}`
  const meaning = Object.entries(chatStatuses).find(([number]) => Number(number) === status)?.[1]
  return meaning === undefined ? '.' : `. ${meaning}`
}
