/** `service-client chat`: one customer message, and the reply as it is asked for. */
import { Command } from 'commander'
import type { ChatTurn } from '../../chat/reply.ts'
import { connect, connected, type ConnectionOptions } from '../settings/connection.ts'
import { type CommandContext, type DiscreetIo, printReply, printEvents } from '../output/write.ts'
import { jsonObject, parseFilled } from '../settings/values.ts'

interface ChatOptions extends ConnectionOptions {
  agent: string
  message: string
  idempotencyKey: string
  conversationId?: string
  interaction?: string
  stream?: true
}

const help = `
Examples:
  service-client chat --agent ID --message "Where is my order?" --idempotency-key order-1001-turn-1
  service-client chat --agent ID --message "And when?" --idempotency-key turn-2 --conversation-id ID --stream

The reply goes to stdout, everything else to stderr. Keep the idempotency key: the same command again, with the
same key, never runs the turn twice.`

export function chatCommand({ io }: CommandContext): Command {
  return connected(
    new Command('chat')
      .description('send one customer message to an agent, and print its reply')
      .requiredOption('--agent <id>', 'the agent', parseFilled)
      .requiredOption('--message <text>', '1 to 10,000 characters', parseFilled)
      .requiredOption('--idempotency-key <key>', 'names this turn; 1 to 255 characters', parseFilled)
      .option('--conversation-id <id>', 'go on with this conversation', parseFilled)
      .option('--interaction <json>', 'the selection of a button, copied from the presentation before')
      .option('--stream', 'print the reply as it comes'),
  )
    .addHelpText('after', help)
    .action((options: ChatOptions) => chat(options, io))
}

async function chat(options: ChatOptions, io: DiscreetIo): Promise<void> {
  const { agent: agentId, message, idempotencyKey, conversationId, interaction } = options
  const turn: ChatTurn = {
    agentId,
    message,
    idempotencyKey,
    signal: io.stopped,
    conversationId,
    interaction: interaction === undefined ? undefined : jsonObject('--interaction', interaction),
  }
  const { client } = connect(options, io)
  const json = options.json === true
  try {
    if (options.stream) await printEvents(client.streamMessage(turn), json, io)
    else printReply(await client.sendMessage(turn), json, io)
  } finally {
    if (io.stopped.aborted)
      io.err('stopped: the turn may go on. The same command with the same key gives its reply.\n')
  }
}
