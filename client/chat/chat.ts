/** One message, one reply. */
import { turnRequestOf, type ChatTurn } from './chat-turn.ts'
import { NoAnswer } from '../errors.ts'
import { isObject, isText } from '../json.ts'
import { serviceErrorOf } from '../http/refusal.ts'
import { isReplayedResponse, chatReplyOf, type ChatReply } from './reply.ts'
import { resending } from '../http/resend.ts'
import { isSuccess, type ServiceResponse, type Transport } from '../http/transport.ts'

const noReply = 'This is no reply: send the same request again with the same key.'

/** An object without a text `response`, such as an error that came with a 200, is thrown: nobody is to show it. */
export function replyFrom({ status, headers, body }: ServiceResponse, replayHeader: string): ChatReply {
  if (!isObject(body))
    throw new NoAnswer(
      'The reply is no JSON object.',
      'Send the same request again with the same key; if it stays so, ask whoever runs the service.',
    )
  if (!isText(body['response'])) throw serviceErrorOf({ status, headers, body }, noReply)
  return chatReplyOf(body, isReplayedResponse(headers, replayHeader))
}

export async function sendMessage(transport: Transport, turn: ChatTurn): Promise<ChatReply> {
  const ask = turnRequestOf(turn, false)
  const send = async (): Promise<ChatReply> => {
    const answer = await transport.ask(ask)
    if (!isSuccess(answer)) throw serviceErrorOf(answer)
    return replyFrom(answer, transport.replayHeader)
  }
  return resending(send, turn.resendInProgress, turn.signal)
}
