import { expect, test } from 'vitest'
import { jsonAnswer, reply } from '../../assertions/exchange.testkit.ts'
import { notPressed, notPressedElsewhere, pressedNotText, pressReplayed } from './press.ts'

const button = { type: 'workflow_button', runId: 7, nodeId: 'n', payload: 'a' }
const next = { ...button, nodeId: 'o' }
const menu = (runId: number) => ({ texts: ['What now?'], buttons: [{ ...button, runId }] })
const step = (runId: number) => ({ texts: ['And then?'], buttons: [{ ...next, runId }] })

const asks = (message: string, interaction?: object) => ({ request: { message, interaction } })
const opening = jsonAnswer({ ...reply, presentation: menu(1) }, asks('menu'))
const says = (message: string, response: string, presentation?: object | null) =>
  jsonAnswer({ ...reply, response, presentation }, asks(message, button))
const refusedAs = (status: number, error: string, ...rest: Parameters<typeof asks>) =>
  jsonAnswer({ error }, { status, ...asks(...rest) })

const press = says('first', 'Good.', step(1))
const stale = refusedAs(409, 'WORKFLOW_INTERACTION_STALE', 'first', button)
const mark = {
  headers: [
    ['content-type', 'application/json'],
    ['x-service-idempotent-replay', 'true'],
  ] as const,
}

test.for([
  [
    'is a replay',
    press,
    jsonAnswer({ ...reply, response: 'Good.' }, { ...asks('first', button), ...mark }),
    'pass',
  ],
  ['is superseded', press, stale, 'warn'],
  ['is superseded though it is offered again', says('first', 'Good.', menu(7)), stale, 'fail'],
  ['is paused', press, refusedAs(409, 'AI_REPLY_PAUSED', 'first', button), 'fail'],
  ['runs again', press, says('first', 'Better.', step(2)), 'fail'],
] as const)('a press with its key that %s', ([, first, again, expected]) => {
  expect(pressReplayed(first, again).is).toBe(expected)
})

const genuine = says('third', 'Good.', step(3))
test.for([
  ['refused', refusedAs(400, 'no', 'other'), 'pass'],
  ['a server error', refusedAs(500, 'no', 'other'), 'fail'],
  ['answered with nothing to present', says('other', 'You said other'), 'pass'],
  ['answered with the menu that any text gets', says('other', 'You said other', menu(4)), 'pass'],
  ['answered as the button is', says('other', 'Good.', step(5)), 'fail'],
  ['answered with something of its own', says('other', 'Well.', { texts: ['Hm'] }), 'warn'],
] as const)('a forged interaction that is %s', ([, forged, expected]) => {
  expect(notPressed({ opening, forged: [forged], genuine }).is).toBe(expected)
})

test.for([
  ['as its text alone, which presents nothing', says('other', 'Good.'), undefined, 'pass'],
  ['with what its text alone presents', says('other', 'Menu', menu(4)), menu(5), 'pass'],
  ['with the menu, which its text alone does not present', says('other', 'Menu', menu(4)), undefined, 'fail'],
  ['with what its text alone does not present', says('other', 'Hm', { texts: ['Hm'] }), undefined, 'warn'],
  ['as the button is, and not as its text alone', says('other', 'Good.', step(5)), undefined, 'fail'],
  ['with other than its text alone presents', says('other', 'Hm', { texts: ['Hm'] }), menu(4), 'warn'],
] as const)('a forged interaction that is answered %s', ([, forged, presentation, expected]) => {
  const texts = [says('more', 'Hm'), says('other', 'You said other', presentation)]
  expect(notPressed({ opening, forged: [forged], genuine, texts }).is).toBe(expected)
})

const another = '7b1c7a52-3f5e-4f39-9a0e-0c8b2f0f6a11'
const atAnother = (presentation?: object) =>
  jsonAnswer({ ...reply, conversation_id: another, presentation }, asks('other', button))
test.for([
  ['refused', refusedAs(404, 'no', 'other', button), genuine, 'pass'],
  ['a server error', refusedAs(500, 'no', 'other', button), genuine, 'fail'],
  ['answered as a text', atAnother(), genuine, 'pass'],
  ['answered as a text, and superseded', atAnother(), stale, 'inconclusive'],
  ['answered in the conversation of the first', says('other', 'Good.', step(2)), stale, 'fail'],
  ['answered by a step of the Workflow, and superseded', atAnother(step(2)), stale, 'fail'],
  ['answered by something of its own', atAnother(step(2)), genuine, 'warn'],
] as const)('a button sent to another agent that is %s', ([, elsewhere, pressed, expected]) => {
  const texts = [says('other', 'You said other')]
  expect(notPressedElsewhere({ opening, elsewhere, genuine: pressed, texts }).is).toBe(expected)
})

const text = (message: string) => says(message, `You said ${message}`)
test.for([
  ['as the forged ones', [text('one'), text('two')], text('three'), 'fail'],
  ['otherwise', [text('one'), text('two')], genuine, 'pass'],
  ['as one forged one is', [text('one')], text('three'), 'pass'],
  ['while the forged ones are refused', [refusedAs(400, 'no', 'other')], text('three'), 'pass'],
  ['with a refusal', [], stale, 'fail'],
] as const)('a current button that is answered %s', ([, forged, pressed, expected]) => {
  expect(pressedNotText({ opening, forged, genuine: pressed }).is).toBe(expected)
})
