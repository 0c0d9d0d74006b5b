/** What clients get wrong in a single turn. */
import { contractIdentifiers } from '../../../spec/index.ts'
import { fails, differs, place, type BrokenClient } from './patch.ts'

const { key, request, turn } = place

export const brokenTurns: Readonly<Record<string, BrokenClient>> = {
  'sends its key as another scheme': fails('LIB-AUTHORIZATION LIB-CHAT', [
    '`Bearer ${service.apiKey}`',
    '`Token ${service.apiKey}`',
  ]),
  'puts the key of the service into the address': fails(
    'LIB-AUTHORIZATION LIB-CHAT',
    ['authorization: `Bearer ${service.apiKey}`,', ''],
    [request, request.replace('call.path', 'call.path + `?api_key=${service.apiKey}`')],
  ),
  'sends no idempotency key': fails('LIB-CHAT LIB-KEY-HEADER', [key, '']),
  'encodes the idempotency key as in an address': fails('LIB-KEY-HEADER', [
    key,
    "...(call.key === undefined ? {} : { 'idempotency-key': encodeURIComponent(call.key) }),",
  ]),
  'puts the idempotency key into the address': fails(
    'LIB-CHAT LIB-KEY-HEADER',
    [key, ''],
    [request, request.replace('call.path', 'call.path + `?idempotency_key=${call.key}`')],
  ),
  'trims the message': fails('LIB-CHAT', [turn, turn.replace('message', 'message: message.trim()')]),
  'sends a message as Latin-1': fails('LIB-CHAT', [
    request,
    request.replace('body }', "body: body && Buffer.from(body, 'latin1') }"),
  ]),
  'cuts a long message': fails('LIB-CHAT', [turn, turn.replace('message', 'message: message.slice(0, 200)')]),
  'drops the conversation': fails('LIB-CONVERSATION', [
    turn,
    turn.replace('conversation_id: conversationId', 'conversation_id: undefined'),
  ]),
  'names the conversation as its own language does': fails('LIB-CONVERSATION', [
    turn,
    turn.replace('conversation_id: conversationId', 'conversationId'),
  ]),
  'reports another conversation than the one of the reply': fails(
    'LIB-CONVERSATION',
    ['membersOf(await response.json())', '({ ...membersOf(await response.json()), conversation_id: "new" })'],
    ['yield event\n', "yield event.type === 'done' ? { ...event, conversation_id: 'new' } : event\n"],
  ),
  'reports another text than the one of the reply': fails('LIB-NO-FALSE-REPLY', [
    'reply: await chat(service, task) })',
    "reply: { ...(await chat(service, task)), response: 'Good morning.' } })",
  ]),
  'builds a button anew from what it knows of one': fails('LIB-INTERACTION', [
    turn,
    'const { type, runId, nodeId, payload } = membersOf(interaction)\n  const copied = interaction && { type, runId, nodeId, payload: String(payload) }\n  const body = { message, conversation_id: conversationId, interaction: copied }',
  ]),
  'sends a button as text': fails('LIB-INTERACTION', [
    turn,
    turn.replace('interaction }', 'interaction: interaction && JSON.stringify(interaction) }'),
  ]),
  'leaves the message out beside a button': fails('LIB-INTERACTION', [
    turn,
    turn.replace('message', '...(interaction ? {} : { message })'),
  ]),
  'leaves the button out': fails('LIB-INTERACTION', [turn, turn.replace(', interaction', '')]),
  'reads a reply by a list of its members': fails('LIB-PRESENTATION LIB-UNKNOWN-MEMBERS', [
    "return report({ saw: 'reply', reply: await chat(service, task) })",
    "{\n      const reply = await chat(service, task)\n      const known = ['response', 'conversation_id', 'credits_used', 'credits_remaining']\n      if (Object.keys(reply).some((name) => !known.includes(name))) throw new Error('unknown member')\n      return report({ saw: 'reply', reply })\n    }",
  ]),
  'reports a refusal as a reply': fails('LIB-NO-FALSE-REPLY LIB-REFUSED', [
    'if (!response.ok) throw failureOf(response.status, parsed(await response.text()))',
    '',
  ]),
  'wants the members of a reply in their order': fails('LIB-UNKNOWN-MEMBERS', [
    "return report({ saw: 'reply', reply: await chat(service, task) })",
    "{\n      const reply = await chat(service, task)\n      if (Object.keys(reply)[0] !== 'response') throw new Error('no reply')\n      return report({ saw: 'reply', reply })\n    }",
  ]),
  'takes a replay for a failure': fails('LIB-CHAT', [
    'if (!response.ok) throw',
    `if (!response.ok || response.headers.has('${contractIdentifiers.replayHeader}')) throw`,
  ]),
  'makes a reply up where none came': fails(
    'LIB-NO-FALSE-REPLY LIB-REFUSED',
    ['const mostTries = 4', 'const mostTries = 1'],
    [
      'reply: await chat(service, task) })',
      "reply: await chat(service, task).catch(() => ({ response: 'Sorry, please try again.' })) })",
    ],
  ),
  'drops the last part of its base address': fails('LIB-CHAT', [
    request,
    request.replace('baseUrl + call.path', 'new URL(call.path.slice(1), baseUrl)'),
  ]),
  'sends with two slashes where its base address ends with one': differs({ 'LIB-CHAT': 'warn' }, [
    request,
    request.replace('baseUrl +', 'service.baseUrl +'),
  ]),
}
