/** What clients get wrong in a single turn. */
import { contractIdentifiers } from '../../../spec/index.ts'
import { place, type BrokenClient } from './patch.ts'

const { headers, key, request, turn } = place

export const brokenTurns: Readonly<Record<string, BrokenClient>> = {
  'sends its key as another scheme': {
    patches: [['`Bearer ${service.apiKey}`', '`Token ${service.apiKey}`']],
    found: {
      'LIB-AUTHORIZATION': 'fail',
      'LIB-CHAT': 'fail',
      'LIB-CONVERSATION': 'fail',
      'LIB-INTERACTION': 'fail',
    },
  },
  'puts the key of the service into the address': {
    patches: [
      ['authorization: `Bearer ${service.apiKey}`,', ''],
      [request, request.replace('call.path', 'call.path + `?api_key=${service.apiKey}`')],
    ],
    found: {
      'LIB-AUTHORIZATION': 'fail',
      'LIB-CHAT': 'fail',
      'LIB-CONVERSATION': 'fail',
      'LIB-INTERACTION': 'fail',
    },
  },
  'sends no idempotency key': {
    patches: [[key, '']],
    found: {
      'LIB-CHAT': 'fail',
      'LIB-CONVERSATION': 'fail',
      'LIB-INTERACTION': 'fail',
      'LIB-KEY-HEADER': 'fail',
    },
  },
  'has one idempotency key for all it does': {
    patches: [[key, "...(call.key === undefined ? {} : { 'idempotency-key': 'the-key-of-this-program' }),"]],
    found: { 'LIB-KEY-HEADER': 'fail' },
  },
  'makes up an idempotency key of its own': {
    patches: [[key, "...(call.key === undefined ? {} : { 'idempotency-key': crypto.randomUUID() }),"]],
    found: { 'LIB-KEY-HEADER': 'fail' },
  },
  'puts the idempotency key into the address': {
    patches: [
      [key, ''],
      [request, request.replace('call.path', 'call.path + `?idempotency_key=${call.key}`')],
    ],
    found: {
      'LIB-CHAT': 'fail',
      'LIB-CONVERSATION': 'fail',
      'LIB-INTERACTION': 'fail',
      'LIB-KEY-HEADER': 'fail',
    },
  },
  'posts a form': {
    patches: [
      [headers, "...(call.body ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),"],
      [
        place.bytes,
        'const body = call.body ? String(new URLSearchParams(call.body as Record<string, string>)) : null',
      ],
    ],
    found: { 'LIB-CHAT': 'fail', 'LIB-CONVERSATION': 'fail', 'LIB-INTERACTION': 'fail' },
  },
  'trims the message': {
    patches: [[turn, turn.replace('message', 'message: message.trim()')]],
    found: { 'LIB-CHAT': 'fail' },
  },
  'sends a message as Latin-1': {
    patches: [[request, request.replace('body }', "body: body && Buffer.from(body, 'latin1') }")]],
    found: { 'LIB-CHAT': 'fail' },
  },
  'cuts a long message': {
    patches: [[turn, turn.replace('message', 'message: message.slice(0, 200)')]],
    found: { 'LIB-CHAT': 'fail' },
  },
  'drops the conversation': {
    patches: [[turn, turn.replace('conversation_id: conversationId', 'conversation_id: undefined')]],
    found: { 'LIB-CONVERSATION': 'fail' },
  },
  'names the conversation as its own language does': {
    patches: [[turn, turn.replace('conversation_id: conversationId', 'conversationId')]],
    found: { 'LIB-CONVERSATION': 'fail' },
  },
  'builds a button anew from what it knows of one': {
    patches: [
      [
        turn,
        'const { type, runId, nodeId, payload } = membersOf(interaction)\n  const copied = interaction && { type, runId, nodeId, payload: String(payload) }\n  const body = { message, conversation_id: conversationId, interaction: copied }',
      ],
    ],
    found: { 'LIB-CONVERSATION': 'fail', 'LIB-INTERACTION': 'fail' },
  },
  'sends a button as text': {
    patches: [
      [turn, turn.replace('interaction }', 'interaction: interaction && JSON.stringify(interaction) }')],
    ],
    found: { 'LIB-CONVERSATION': 'fail', 'LIB-INTERACTION': 'fail' },
  },
  'leaves the message out beside a button': {
    patches: [[turn, turn.replace('message', '...(interaction ? {} : { message })')]],
    found: { 'LIB-CONVERSATION': 'fail', 'LIB-INTERACTION': 'fail' },
  },
  'leaves the button out': {
    patches: [[turn, turn.replace(', interaction', '')]],
    found: { 'LIB-INTERACTION': 'fail' },
  },
  'reads a reply by a list of its members': {
    patches: [
      [
        "return report({ saw: 'reply', reply: await chat(service, task) })",
        "{\n      const reply = await chat(service, task)\n      const known = ['response', 'conversation_id', 'credits_used', 'credits_remaining']\n      if (Object.keys(reply).some((name) => !known.includes(name))) throw new Error('unknown member')\n      return report({ saw: 'reply', reply })\n    }",
      ],
    ],
    found: { 'LIB-PRESENTATION': 'fail', 'LIB-UNKNOWN-MEMBERS': 'fail' },
  },
  'reports a refusal as a reply': {
    patches: [['if (!response.ok) throw failureOf(response.status, parsed(await response.text()))', '']],
    found: { 'LIB-NO-FALSE-REPLY': 'fail', 'LIB-REFUSED': 'fail' },
  },
  'wants the members of a reply in their order': {
    patches: [
      [
        "return report({ saw: 'reply', reply: await chat(service, task) })",
        "{\n      const reply = await chat(service, task)\n      if (Object.keys(reply)[0] !== 'response') throw new Error('no reply')\n      return report({ saw: 'reply', reply })\n    }",
      ],
    ],
    found: { 'LIB-UNKNOWN-MEMBERS': 'fail' },
  },
  'takes a replay for a failure': {
    patches: [
      [
        'if (!response.ok) throw',
        `if (!response.ok || response.headers.has('${contractIdentifiers.replayHeader}')) throw`,
      ],
    ],
    found: { 'LIB-CHAT': 'fail' },
  },
  'makes a reply up where none came': {
    patches: [
      ['const mostTries = 4', 'const mostTries = 1'],
      [
        'reply: await chat(service, task) })',
        "reply: await chat(service, task).catch(() => ({ response: 'Sorry, please try again.' })) })",
      ],
    ],
    found: { 'LIB-NO-FALSE-REPLY': 'fail', 'LIB-REFUSED': 'fail' },
  },
  'drops the path of its base address': {
    patches: [[request, request.replace('baseUrl + call.path', 'new URL(call.path, baseUrl)')]],
    found: { 'LIB-CHAT': 'fail' },
  },
  'drops the last part of its base address': {
    patches: [[request, request.replace('baseUrl + call.path', 'new URL(call.path.slice(1), baseUrl)')]],
    found: { 'LIB-CHAT': 'fail' },
  },
  'sends with two slashes where its base address ends with one': {
    patches: [[request, request.replace('baseUrl +', 'service.baseUrl +')]],
    found: { 'LIB-CHAT': 'warn' },
  },
}
