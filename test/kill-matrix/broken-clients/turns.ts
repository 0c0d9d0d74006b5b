/** What clients get wrong in a single turn. */
import { place, type BrokenClient } from './patch.ts'

const { headers, key, request, turn } = place

export const brokenTurns: Readonly<Record<string, BrokenClient>> = {
  'sends its key as another scheme': {
    patches: [['`Bearer ${service.apiKey}`', '`Token ${service.apiKey}`']],
    found: {},
  },
  'puts the key of the service into the address': {
    patches: [
      ['authorization: `Bearer ${service.apiKey}`,', ''],
      [request, request.replace('call.path', 'call.path + `?api_key=${service.apiKey}`')],
    ],
    found: {},
  },
  'sends no idempotency key': { patches: [[key, '']], found: {} },
  'has one idempotency key for all it does': {
    patches: [[key, "...(call.key === undefined ? {} : { 'idempotency-key': 'the-key-of-this-program' }),"]],
    found: {},
  },
  'makes up an idempotency key of its own': {
    patches: [[key, "...(call.key === undefined ? {} : { 'idempotency-key': crypto.randomUUID() }),"]],
    found: {},
  },
  'puts the idempotency key into the address': {
    patches: [
      [key, ''],
      [request, request.replace('call.path', 'call.path + `?idempotency_key=${call.key}`')],
    ],
    found: {},
  },
  'posts a form': {
    patches: [
      [headers, "...(call.body ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),"],
      [
        place.bytes,
        'const body = call.body ? String(new URLSearchParams(call.body as Record<string, string>)) : null',
      ],
    ],
    found: {},
  },
  'trims the message': { patches: [[turn, turn.replace('message', 'message: message.trim()')]], found: {} },
  'sends a message as Latin-1': {
    patches: [[request, request.replace('body }', "body: body && Buffer.from(body, 'latin1') }")]],
    found: {},
  },
  'cuts a long message': {
    patches: [[turn, turn.replace('message', 'message: message.slice(0, 200)')]],
    found: {},
  },
  'drops the conversation': {
    patches: [[turn, turn.replace('conversation_id: conversationId', 'conversation_id: undefined')]],
    found: {},
  },
  'names the conversation as its own language does': {
    patches: [[turn, turn.replace('conversation_id: conversationId', 'conversationId')]],
    found: {},
  },
  'builds a button anew from what it knows of one': {
    patches: [
      [
        turn,
        'const { type, runId, nodeId, payload } = membersOf(interaction)\n  const copied = interaction && { type, runId, nodeId, payload: String(payload) }\n  const body = { message, conversation_id: conversationId, interaction: copied }',
      ],
    ],
    found: {},
  },
  'sends a button as text': {
    patches: [
      [turn, turn.replace('interaction }', 'interaction: interaction && JSON.stringify(interaction) }')],
    ],
    found: {},
  },
  'leaves the message out beside a button': {
    patches: [[turn, turn.replace('message', '...(interaction ? {} : { message })')]],
    found: {},
  },
  'leaves the button out': { patches: [[turn, turn.replace(', interaction', '')]], found: {} },
  'reads a reply by a list of its members': {
    patches: [
      [
        "return tell({ saw: 'reply', reply: await chat(service, task) })",
        "{\n      const reply = await chat(service, task)\n      const known = ['response', 'conversation_id', 'credits_used', 'credits_remaining']\n      if (Object.keys(reply).some((name) => !known.includes(name))) throw new Error('unknown member')\n      return tell({ saw: 'reply', reply })\n    }",
      ],
    ],
    found: {},
  },
  'tells a refusal as a reply': {
    patches: [['if (!response.ok) throw failureOf(response.status, parsed(await response.text()))', '']],
    found: {},
  },
}
