import { must } from '../clause.ts'

const reply = 'Resources, Chat success response'

export const chatResponse = {
  'RES-JSON': must(
    'A reply that is not streamed is one JSON object with a JSON content type.',
    'Endpoints, Base address',
  ),
  'RES-RESPONSE-STRING': must('`response` is a string.', `${reply}, response`),
  'RES-RESPONSE-FILLED': must(
    'While AI replies are active, `response` is filled.',
    'States and transitions, AI replies active',
  ),
  'RES-CONVERSATION-UUID': must('`conversation_id` is a uuid.', `${reply}, conversation_id`),
  'RES-CREDITS-USED': must('`credits_used` is a number.', `${reply}, credits_used`),
  'RES-CREDITS-REMAINING': must('`credits_remaining` is a number.', `${reply}, credits_remaining`),
  'RES-CREDITS-WITHOUT-BILLING': must(
    'Both credit fields come back even when the key lacks `billing_read`.',
    `${reply}, credits_remaining`,
  ),
  'RES-NO-CUSTOMER-MESSAGE': must(
    'While AI replies are active there is no `customer_message`.',
    `${reply}, customer_message`,
    { basis: 'implied' },
  ),
  'RES-NO-PRESENTATION': must(
    'A turn without Workflow messages, buttons or media has no `presentation`.',
    `${reply}, presentation`,
  ),
} as const
