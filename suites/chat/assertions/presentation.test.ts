import { expect, test } from 'vitest'
import type { Dialect } from '../../config/dialect.ts'
import { jsonAnswer, reply } from '../../assertions/exchange.testkit.ts'
import {
  buttons,
  copyable,
  forged,
  noPresentation,
  sameButton,
  versionOne,
  type Interaction,
} from './presentation.ts'
import { samePresentation } from './presentation-replay.ts'

const image = { type: 'image', payload: { url: 'https://media.example/room.png' } }
const choice = { label: 'Yes', payload: { answer: 'yes' } }
const said = { type: 'workflow_button', ...choice }
const yes = { type: 'workflow_button', runId: 7, nodeId: 'n', payload: { answer: 'yes' } }
const pictured = { ...yes, payload: image.payload }
const around = { runId: 7, nodeId: 'n' }

const found: readonly (readonly [string, unknown, Dialect, readonly unknown[]])[] = [
  ['nothing without a payload', { ...around, buttons: [{ label: 'Yes' }] }, {}, []],
  ['the run and the node with the objects around', { ...around, buttons: [choice] }, {}, [yes]],
  ['every payload where nothing says what it is', { ...around, parts: [image, choice] }, {}, [pictured, yes]],
  ['only what says that it is a button, if anything does', { ...around, parts: [image, said] }, {}, [yes]],
  [
    'only what the dialect points at',
    { ...around, media: [image], buttons: [choice] },
    { buttons: ['/buttons/*'] },
    [yes],
  ],
  [
    'what stands at a declared index',
    { ...around, buttons: [choice, { payload: 1 }] },
    { buttons: ['/buttons/0'] },
    [yes],
  ],
  [
    'nothing where the dialect points at no place',
    { ...around, image },
    { buttons: ['/buttons/0'] },
    [pictured],
  ],
  ['a button once that stands there twice', { ...around, buttons: [said, said] }, {}, [yes]],
]

test.for(found)('of a presentation is taken %s', ([, presentation, dialect, expected]) => {
  expect(buttons(presentation, dialect)).toEqual(expected)
})

const interaction: Interaction = { type: 'workflow_button', runId: 7, nodeId: 'n', payload: null }

test.for([
  ['a text', 'a', 'nonce'],
  ['a number', 7, 7_926],
  ['true', true, false],
  ['false', false, true],
  ['a list', [1], [1, 'nonce']],
  ['an object', { a: 1 }, { a: 1, forged: 'nonce' }],
  ['null', null, 'nonce'],
] as const)('what is forged of %s is another value of its type', ([, payload, expected]) => {
  const made = forged({ ...interaction, payload }, ['payload'], 'nonce')
  expect(made).toEqual({ ...interaction, payload: expected })
  expect(sameButton(made, { ...interaction, payload })).toBe(false)
})

test('buttons are the same by value, whatever the order of their members', () => {
  const { type, ...rest } = interaction
  expect(sameButton({ ...rest, type }, interaction)).toBe(true)
})

const presented = (presentation: unknown) => jsonAnswer({ ...reply, presentation })

test.for([
  ['a whole button', { ...around, buttons: [choice] }, 'pass', undefined],
  ['no run', { nodeId: 'n', buttons: [choice] }, 'fail', 'only nodeId and payload'],
  [
    'its parts in several places',
    { a: { runId: 7 }, b: { nodeId: 'n' }, c: choice },
    'fail',
    'they are not in one place',
  ],
  ['one part alone', { buttons: [choice] }, 'inconclusive', undefined],
] as const)('a button can be copied of %s', ([, presentation, is, got]) => {
  expect(copyable(presented(presentation), {})).toMatchObject({ is, ...(got ? { got } : {}) })
})

test.for([
  [{ version: 1 }, 'pass'],
  [{ version: '1' }, 'pass'],
  [{ Version: 'v1' }, 'pass'],
  [{ schemaVersion: '1.0' }, 'pass'],
  [{ presentation_version: '1.0.00' }, 'pass'],
  [{ version: 2 }, 'fail'],
  [{ version: '11' }, 'fail'],
  [{ version: '1.1' }, 'fail'],
  [{ version: '2.1' }, 'fail'],
  [{ version: '1.0-beta' }, 'fail'],
  [{ conversion: 1 }, 'inconclusive'],
  [{ versions: 1 }, 'inconclusive'],
] as const)('the version of %j', ([presentation, is]) => {
  expect(versionOne(presented(presentation)).is).toBe(is)
})

test.for([
  [{ schema: { revision: 1 } }, '/schema/revision', 'pass'],
  [{ schema: { revision: 2 } }, '/schema/revision', 'fail'],
  [{ version: 3, schema_version: 1 }, undefined, 'pass'],
  [{ version: 3, schema_version: 1 }, '/version', 'fail'],
  [{ schema: { revision: 1 } }, undefined, 'inconclusive'],
] as const)('the version of %j at %s is %s', ([presentation, version, expected]) => {
  const dialect = version === undefined ? {} : { presentation: { version } }
  expect(versionOne(jsonAnswer({ ...reply, presentation }), dialect).is).toBe(expected)
})

test.for([
  [undefined, 'pass'],
  [null, 'warn'],
  [{ version: 1, media: [{ url: 'https://media.example/a.png' }] }, 'warn'],
  [{ version: 1, messages: [], buttons: [] }, 'fail'],
  [{}, 'fail'],
  ['', 'fail'],
  [[], 'fail'],
] as const)('a plain turn with the presentation %j is %s', ([presentation, expected]) => {
  expect(noPresentation(jsonAnswer({ ...reply, presentation })).is).toBe(expected)
})

const shown = {
  until: 1_900_000_000,
  text: 'See https://m.example/a?x=1',
  url: '/m/a.png?s=1',
  buttons: [yes],
}
test.for([
  [{ ...shown, url: '/m/a.png?s=2', text: 'See https://m.example/a?x=2' }, 'pass'],
  [{ ...shown, until: 1_900_000_001 }, 'warn'],
  [{ ...shown, url: '/m/b.png?s=1' }, 'fail'],
  [{ ...shown, text: 'Look' }, 'fail'],
  [{ ...shown, buttons: [{ ...yes, payload: 'no' }] }, 'fail'],
  [{ ...shown, buttons: [] }, 'fail'],
  [undefined, 'fail'],
] as const)('a replay with %j is %s', ([presentation, expected]) => {
  const original = jsonAnswer({ ...reply, presentation: shown })
  expect(samePresentation(original, jsonAnswer({ ...reply, presentation }), {}).is).toBe(expected)
})

test('a URL within the data of a button is no medium', () => {
  const at = (query: string) =>
    jsonAnswer({ ...reply, presentation: { buttons: [{ ...yes, payload: `https://m.example/?${query}` }] } })
  expect(samePresentation(at('a'), at('b'), {}).is).toBe('fail')
})
