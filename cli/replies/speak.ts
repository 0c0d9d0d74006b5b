/** Speaks with an agent itself: one conversation, a turn for each message, until one is refused. */
import { randomUUID } from 'node:crypto'
import { chatErrors, chatStatuses } from '../../spec/index.ts'
import type { Io } from '../io.ts'
import { codeOf } from '../values.ts'
import type { Service } from './exchange.ts'
import { heard, type Passed } from './heard.ts'
import { objectIn, textOf, type Members } from './json.ts'

export interface Speech {
  agent: string
  key: string
  messages: readonly string[]
  stream: boolean
}

export interface Spoken {
  turns: readonly Passed[]
  /** Why it ended before the last message, or null. */
  stopped: string | null
}

export async function speak(service: Service, speech: Speech, io: Io): Promise<Spoken> {
  const turns: Passed[] = []
  let conversation: string | undefined
  for (const [index, message] of speech.messages.entries()) {
    const place = `turn ${index + 1} of ${speech.messages.length}`
    const passed = await say(service, speech, message, conversation, io).catch((error: unknown) =>
      codeOf(error),
    )
    if (typeof passed === 'string')
      return { turns, stopped: `${place} got no answer (${passed}); whether it ran is not known` }
    const why = refusal(passed)
    if (why !== null && passed.answer.status !== 200)
      return { turns, stopped: `${place} was refused: ${why}` }
    turns.push(passed)
    if (why !== null) return { turns, stopped: `${place} ${why}` }
    conversation = textOf(heard(passed).reply?.['conversation_id']) ?? conversation
  }
  return { turns, stopped: null }
}

async function say(
  service: Service,
  { agent, key, stream }: Speech,
  message: string,
  conversation: string | undefined,
  io: Io,
): Promise<Passed> {
  const asked: Members = {
    message,
    ...(stream && { stream }),
    ...(conversation !== undefined && { conversation_id: conversation }),
  }
  const sentAt = io.now()
  const answer = await service.send({
    method: 'POST',
    path: `/api/v1/chat/${encodeURIComponent(agent)}`,
    headers: [
      ['Authorization', `Bearer ${key}`],
      ['Content-Type', 'application/json'],
      ['Idempotency-Key', `record-${randomUUID()}`],
    ],
    body: Buffer.from(JSON.stringify(asked)),
    signal: io.stopped,
  })
  return { asked, sentAt, answer }
}

/** What went wrong with a turn, and what to do; null where nothing did. */
function refusal(passed: Passed): string | null {
  const { status, chunks } = passed.answer
  if (status !== 200) {
    const body = Buffer.concat(chunks.map(({ bytes }) => bytes)).toString()
    const seconds = objectIn(body)?.['retry_after_seconds']
    const wait = typeof seconds === 'number' ? ` Wait ${seconds} s before the next try.` : ''
    return `${status}${advice(status, body)}${wait}`
  }
  const { reply, error } = heard(passed)
  if (error !== undefined) return 'broke off with an error, which is kept'
  return reply ? null : 'ended without a reply'
}

/** Where the code stands in a refusal is not shown, so it is looked for anywhere. */
function advice(status: number, body: string): string {
  const known = Object.entries(chatErrors).find(([code]) => body.includes(code))
  if (known) return ` ${known[0]}. ${known[1].advice}`
  const meaning = Object.entries(chatStatuses).find(([number]) => Number(number) === status)?.[1]
  return meaning === undefined ? '.' : `. ${meaning}`
}
