import { must } from '../clause.ts'

const body = 'Resources, Chat request body'

export const chatRequest = {
  'REQ-ROUTE': must(
    'A valid customer message posted to the chat route of an agent is answered 200.',
    'Endpoints, Chat',
  ),
  'REQ-MESSAGE-REQUIRED': must('A body without `message` is refused with 400.', `${body}, message`),
  'REQ-MESSAGE-STRING': must('A `message` that is not a string is refused with 400.', `${body}, message`),
  'REQ-MESSAGE-EMPTY': must('An empty `message` is refused with 400.', `${body}, message`),
  'REQ-MESSAGE-MIN': must('A `message` of one character is accepted.', `${body}, message`),
  'REQ-MESSAGE-MAX': must('A `message` of 10,000 characters is accepted.', `${body}, message`),
  'REQ-MESSAGE-OVER': must('A `message` of 10,001 characters is refused with 400.', `${body}, message`),
  'REQ-MESSAGE-UNICODE': must('A `message` may hold any text, whatever its script.', `${body}, message`, {
    basis: 'implied',
  }),
  'REQ-MESSAGE-WITH-INTERACTION': must(
    'An `interaction` does not replace the message: without `message` it is refused with 400.',
    `${body}, message`,
  ),
  'REQ-CONVERSATION-OPTIONAL': must(
    'A body without `conversation_id` is accepted.',
    `${body}, conversation_id`,
  ),
  'REQ-CONVERSATION-STRING': must(
    'A `conversation_id` that is not a string is refused with 400.',
    `${body}, conversation_id`,
  ),
  'REQ-CONVERSATION-UUID': must(
    'A `conversation_id` that is not a uuid is refused with 400.',
    `${body}, conversation_id`,
  ),
  'REQ-STREAM-DEFAULT': must('Without `stream` the reply comes as JSON.', `${body}, stream`),
  'REQ-STREAM-FALSE': must('With `stream` false the reply comes as JSON.', `${body}, stream`),
  'REQ-INTERACTION-OBJECT': must(
    'An `interaction` that is not an object is refused with 400.',
    `${body}, interaction`,
  ),
  'REQ-JSON-MALFORMED': must(
    'A body that is not JSON is refused with 400.',
    'Errors, Chat status codes, 400',
  ),
  'REQ-JSON-OBJECT': must(
    'A JSON body that is not an object is refused with 400.',
    'Errors, Chat status codes, 400',
    {
      basis: 'implied',
    },
  ),
  'REQ-BODY-EMPTY': must('A request without a body is refused with 400.', 'Errors, Chat status codes, 400', {
    basis: 'implied',
  }),
} as const
