import { expect, test } from 'vitest'
import type { Dialect } from '../target/dialect.ts'
import { buttons } from './presentation.ts'

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
  ['a button once that stands there twice', { ...around, buttons: [said, said] }, {}, [yes]],
]

test.for(found)('of a presentation is taken %s', ([, presentation, dialect, expected]) => {
  expect(buttons(presentation, dialect)).toEqual(expected)
})
