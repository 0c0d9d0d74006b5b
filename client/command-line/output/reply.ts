/** A reply that is whole, on the way to whoever asked. */
import type { ChatReply } from '../../chat/reply.ts'
import type { CommandLineIo } from '../io.ts'

export function printReply(reply: ChatReply, json: boolean, io: CommandLineIo): void {
  if (json) return io.out(`${JSON.stringify(reply)}\n`)
  if (reply.response !== '') io.out(`${reply.response}\n`)
  printAbout(reply, io)
}

/** What a person should know besides the words of the agent. */
export function printAbout(reply: ChatReply, io: CommandLineIo): void {
  const { customerMessage, presentation, replayed, conversationId, creditsUsed, creditsRemaining } = reply
  if (customerMessage) io.err('AI replies are paused: the message was stored, and no reply was made.\n')
  if (presentation) io.err('This turn has more than words, such as buttons or media: --json shows it.\n')
  if (replayed)
    io.err('This is the reply to an earlier request with the same key; the turn was not run again.\n')
  io.err(`conversation ${conversationId}, credits used ${creditsUsed}, remaining ${creditsRemaining}\n`)
}
