import { implied, must, stated } from '../../clause.ts'
import { quoted } from '../../quoted.ts'

const turns = 'What the service does, Multi-turn'
const oneThread = 'is sent on later turns to keep one thread'

export const conversationClauses = {
  'CONV-NEW': must(
    'A turn without `conversation_id` starts a conversation of its own.',
    implied('Resources, Chat request body, conversation_id', 'omit to start a new one'),
  ),
  'CONV-CONTINUE': must(
    'A turn that names a conversation is answered in that conversation.',
    stated(turns, oneThread),
  ),
  'CONV-CONTINUE-STREAM': must(
    'A streamed turn that names a conversation ends in that conversation.',
    implied(turns, [oneThread, quoted.finalFields]),
  ),
  'CONV-AFTER-STREAM': must(
    'A conversation that began with a stream can be continued.',
    implied(turns, [oneThread, quoted.finalFields]),
  ),
} as const
