/** One message, one reply. */
import { askOf, type ChatTurn } from './chat-turn.ts'
import { NoAnswer } from '../errors.ts'
import { isObject, isText } from '../json.ts'
import { refusal } from '../http/refusal.ts'
import { isReplay, replyOf, type ChatReply } from './reply.ts'
import { resending } from '../http/resend.ts'
import { isSuccess, type Answer, type Transport } from '../http/transport.ts'

const noReply = 'This is no reply: send the same request again with the same key.'

/** An object without a text `response`, such as an error that came with a 200, is thrown: nobody is to show it. */
export function replyFrom({ status, headers, body }: Answer, replayHeader: string): ChatReply {
  if (!isObject(body))
    throw new NoAnswer(
      'The reply is no JSON object.',
      'Send the same request again with the same key; if it stays so, ask whoever runs the service.',
    )
  if (!isText(body['response'])) throw refusal({ status, headers, body }, noReply)
  return replyOf(body, isReplay(headers, replayHeader))
}

export async function sendMessage(transport: Transport, turn: ChatTurn): Promise<ChatReply> {
  const ask = askOf(turn, false)
  const send = async (): Promise<ChatReply> => {
    const answer = await transport.ask(ask)
    if (!isSuccess(answer)) throw refusal(answer)
    return replyFrom(answer, transport.replayHeader)
  }
  return resending(send, turn.resendInProgress, turn.signal)
}
