import { must } from '../clause.ts'

const turns = 'What the service does, Multi-turn'

export const conversation = {
  'CONV-NEW': must('A turn without `conversation_id` starts a conversation of its own.', turns, {
    basis: 'implied',
  }),
  'CONV-CONTINUE': must('A turn that names a conversation is answered in that conversation.', turns),
  'CONV-CONTINUE-STREAM': must(
    'A streamed turn that names a conversation ends in that conversation.',
    turns,
    {
      basis: 'implied',
    },
  ),
  'CONV-AFTER-STREAM': must('A conversation that began with a stream can be continued.', turns, {
    basis: 'implied',
  }),
} as const
