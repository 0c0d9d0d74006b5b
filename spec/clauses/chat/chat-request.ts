import { implied, must, stated } from '../../clause.ts'
import { quoted } from '../../quoted.ts'

const body = 'Resources, Chat request body'
const message = '`message` | string | yes'
const length = '1 to 10,000 characters'
const conversationId = '`conversation_id` | uuid | no'
const invalid = '400 | invalid body'

export const chatRequestClauses = {
  'REQ-ROUTE': must(
    'A valid customer message posted to the chat route of an agent is answered 200.',
    stated('Endpoints, Chat', 'Response 200 | see Chat success response'),
  ),
  'REQ-MESSAGE-REQUIRED': must(
    'A body without `message` is refused with 400.',
    stated(`${body}, message`, [message, quoted.invalidBody]),
  ),
  'REQ-MESSAGE-STRING': must(
    'A `message` that is not a string is refused with 400.',
    stated(`${body}, message`, [message, quoted.invalidBody]),
  ),
  'REQ-MESSAGE-EMPTY': must(
    'An empty `message` is refused with 400.',
    stated(`${body}, message`, [length, quoted.invalidBody]),
  ),
  'REQ-MESSAGE-MIN': must('A `message` of one character is accepted.', stated(`${body}, message`, length)),
  'REQ-MESSAGE-MAX': must(
    'A `message` of 10,000 characters is accepted.',
    stated(`${body}, message`, length),
  ),
  'REQ-MESSAGE-OVER': must(
    'A `message` of 10,001 characters is refused with 400.',
    stated(`${body}, message`, [length, quoted.invalidBody]),
  ),
  'REQ-MESSAGE-UNICODE': must(
    'A `message` may hold any text, whatever its script.',
    implied(`${body}, message`, [message, length]),
  ),
  'REQ-MESSAGE-WITH-INTERACTION': must(
    'An `interaction` does not replace the message: without `message` it is refused with 400.',
    stated(`${body}, message`, ['Still required when `interaction` is sent', quoted.invalidBody]),
  ),
  'REQ-CONVERSATION-OPTIONAL': must(
    'A body without `conversation_id` is accepted.',
    stated(`${body}, conversation_id`, 'omit to start a new one'),
  ),
  'REQ-CONVERSATION-STRING': must(
    'A `conversation_id` that is not a string is refused with 400.',
    stated(`${body}, conversation_id`, [conversationId, quoted.invalidBody]),
  ),
  'REQ-CONVERSATION-UUID': must(
    'A `conversation_id` that is not a uuid is refused with 400.',
    stated(`${body}, conversation_id`, [conversationId, quoted.invalidBody]),
  ),
  'REQ-STREAM-DEFAULT': must(
    'Without `stream` the reply comes as JSON.',
    stated(`${body}, stream`, ['Default `false`', quoted.jsonBodies]),
  ),
  'REQ-STREAM-FALSE': must(
    'With `stream` false the reply comes as JSON.',
    stated(`${body}, stream`, ['`true` selects Server-Sent Events', quoted.jsonBodies]),
  ),
  'REQ-INTERACTION-OBJECT': must(
    'An `interaction` that is not an object is refused with 400.',
    stated(`${body}, interaction`, ['`interaction` | object | no', quoted.invalidBody]),
  ),
  'REQ-JSON-MALFORMED': must(
    'A body that is not JSON is refused with 400.',
    stated('Errors, Chat status codes, 400', [quoted.jsonBodies, invalid]),
  ),
  'REQ-JSON-OBJECT': must(
    'A JSON body that is not an object is refused with 400.',
    implied('Errors, Chat status codes, 400', [quoted.messageRequired, invalid]),
  ),
  'REQ-BODY-EMPTY': must(
    'A request without a body is refused with 400.',
    implied('Errors, Chat status codes, 400', [quoted.messageRequired, invalid]),
  ),
} as const
