/** What clients get wrong with what they only hand on, and with limits beside those of turns. */
import { fails, place, type BrokenClient } from './patch.ts'
import { onlyFor } from './scenarios.ts'

const { event, limited } = place
const recased = String.raw`interaction && JSON.parse(JSON.stringify(interaction).replaceAll(/_([a-z])(?=\w*":)/g, (_, letter) => letter.toUpperCase()))`

export const brokenHands: Readonly<Record<string, BrokenClient>> = {
  ...onlyFor(['client-copied/*'], {
    'renames the members of a button': fails('LIB-INTERACTION', [
      place.turn,
      place.turn.replace('interaction }', `interaction: ${recased} }`),
    ]),
    'lists the operations of its package without asking': fails('LIB-OPERATIONS', [
      "send(service, { method: 'GET', path: '/api/v1/operations' }, json)",
      "Promise.resolve({ operations: [{ id: 'agent_setup.inspect' }] })",
    ]),
    'breaks down at a streamed presentation without messages': fails('LIB-PRESENTATION', [
      event,
      `${event}\n    if (event.presentation && !membersOf(event.presentation).messages) throw new Failure({ code: null })`,
    ]),
  }),
  ...onlyFor(['client-rates/*', 'client-uploads/same-name'], {
    'sends whatever was refused for its rate again at once': fails('LIB-RATE-WAIT', [
      limited,
      'if (status === 429) return 0\n  return null',
    ]),
    'makes the keys of an upload of the name of the file': fails('LIB-UPLOAD-KEYS', [
      'const { fileName, contentType, content, prepareKey, finalizeKey } = file',
      'const { fileName, contentType, content } = file\n  const [prepareKey, finalizeKey] = [`1-${fileName}`, `2-${fileName}`]',
    ]),
  }),
}
