import { implied, must, stated } from '../../clause.ts'
import { quoted } from '../../quoted.ts'

const reply = 'Resources, Chat success response'

export const chatResponseClauses = {
  'RES-JSON': must(
    'A reply that is not streamed is one JSON object with a JSON content type.',
    stated('Endpoints, Base address', 'Bodies and responses are JSON unless streaming'),
  ),
  'RES-RESPONSE-STRING': must(
    '`response` is a string, the text of the reply to the message that was sent.',
    stated(`${reply}, response`, '`response` | string | Agent reply text'),
  ),
  'RES-RESPONSE-FILLED': must(
    'While AI replies are active, `response` is filled.',
    stated('States and transitions, AI replies active', 'reply produced | `response` filled'),
  ),
  'RES-CONVERSATION-UUID': must(
    '`conversation_id` is a uuid.',
    stated(
      `${reply}, conversation_id`,
      '`conversation_id` | uuid | Conversation to continue on the next turn',
    ),
  ),
  'RES-CREDITS-USED': must(
    '`credits_used` is a number.',
    stated(`${reply}, credits_used`, '`credits_used` | number'),
  ),
  'RES-CREDITS-REMAINING': must(
    '`credits_remaining` is a number.',
    stated(`${reply}, credits_remaining`, '`credits_remaining` | number'),
  ),
  'RES-CREDITS-WITHOUT-BILLING': must(
    'Both credit fields come back even when the key lacks `billing_read`.',
    stated(`${reply}, credits_remaining`, [
      'Always returned on chat, even when the key lacks `billing_read`',
      quoted.creditsReported,
    ]),
  ),
  'RES-NO-CUSTOMER-MESSAGE': must(
    'While AI replies are active no `customer_message` is marked as paused.',
    implied(`${reply}, customer_message`, [
      'Present when the message was stored while AI replies are paused',
      quoted.replyFilled,
    ]),
  ),
  'RES-NO-PRESENTATION': must(
    'A turn without Workflow messages, buttons or media has no `presentation`.',
    stated(`${reply}, presentation`, 'Present only when the turn has Workflow messages, buttons or media'),
  ),
} as const
