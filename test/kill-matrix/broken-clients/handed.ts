/** What clients get wrong with what they only hand on, and with limits beside those of turns. */
import { place, type BrokenClient } from './patch.ts'

const { event, limited } = place
const recased = String.raw`interaction && JSON.parse(JSON.stringify(interaction).replaceAll(/_([a-z])(?=\w*":)/g, (_, letter) => letter.toUpperCase()))`

export const brokenHands: Readonly<Record<string, BrokenClient>> = {
  'renames the members of a button': {
    patches: [[place.turn, place.turn.replace('interaction }', `interaction: ${recased} }`)]],
    scenarios: ['client-copied/*'],
    found: { 'LIB-INTERACTION': 'fail' },
  },
  'lists the operations of its package without asking': {
    patches: [
      [
        "send(service, { method: 'GET', path: '/api/v1/operations' }, json)",
        "Promise.resolve({ operations: [{ id: 'agent_setup.inspect' }] })",
      ],
    ],
    scenarios: ['client-copied/*'],
    found: { 'LIB-OPERATIONS': 'fail' },
  },
  'breaks down at a streamed presentation without messages': {
    patches: [
      [
        event,
        `${event}\n    if (event.presentation && !membersOf(event.presentation).messages) throw new Failure({ code: null })`,
      ],
    ],
    scenarios: ['client-copied/*'],
    found: { 'LIB-PRESENTATION': 'fail' },
  },
  'sends whatever was refused for its rate again at once': {
    patches: [[limited, 'if (status === 429) return 0\n  return null']],
    scenarios: ['client-rates/*'],
    found: { 'LIB-RATE-WAIT': 'fail' },
  },
  'makes the keys of an upload of the name of the file': {
    patches: [
      [
        'const { fileName, contentType, content, prepareKey, finalizeKey } = file',
        'const { fileName, contentType, content } = file\n  const [prepareKey, finalizeKey] = [`1-${fileName}`, `2-${fileName}`]',
      ],
    ],
    scenarios: ['client-uploads/same-name'],
    found: { 'LIB-UPLOAD-KEYS': 'fail' },
  },
}
