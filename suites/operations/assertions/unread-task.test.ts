import { describe, expect, test } from 'vitest'
import type { Exchange } from '../../wire/exchange.ts'
import { jsonAnswer } from '../../assertions/exchange.testkit.ts'
import { continuesUnread, movedByReads } from './unread-task.ts'

const read = (state: string, status = 200, at = 0): Exchange => ({
  ...jsonAnswer({ state }, { status }),
  sentAt: at,
  endedAt: at + 1,
})
const reads = (states: string, everyMs = 1): readonly Exchange[] =>
  states.split(' ').map((state, i) => read(state, 200, i * everyMs))

const waitedMs = 6_000
const onward = 'queued running completed completed completed'
const toInput = 'queued running input_required input_required input_required'

describe('a task left unread moves by its reads', () => {
  test.for([
    ['to its end', reads(onward), true],
    ['to where it needs input', reads(toInput), true],
    ['with every second read', reads('queued queued running running completed'), true],
    ['once, as from a cache', reads('queued completed completed completed completed'), false],
    ['not at all', reads('running running running running running'), false],
    ['back and forth, as among replicas', reads('queued running completed queued running'), false],
    ['from its end on', reads('completed running queued queued queued'), false],
    ['after it needed input', reads('input_required running completed completed completed'), false],
    ['through a state of its own', reads('queued working completed completed completed'), false],
    ['between reads far apart', reads(onward, 400), false],
    ['but one read is refused', [...reads('queued running'), read('completed', 429)], false],
  ] as const)('%s', ([, seen, expected]) => {
    expect(movedByReads(seen, {}, waitedMs)).toBe(expected)
  })
})

const missing = read('', 404)
const whole = { reads: reads(onward), again: reads(onward), stranger: missing }

describe('the work of a task continues unread', () => {
  test.for([
    ['moves by its reads, and so does another one', whole, 'fail'],
    ['has ended when it is first read', { ...whole, reads: [read('failed')] }, 'pass'],
    ['needs input when it is first read', { ...whole, reads: [read('input_required')] }, 'pass'],
    [
      'has the state of a task that does not exist',
      { ...whole, reads: [read('completed')], stranger: read('completed') },
      'inconclusive',
    ],
    [
      'moves by its reads, and another one has ended',
      { ...whole, again: reads('completed completed completed') },
      'inconclusive',
    ],
    [
      'moves by its reads, and another one in another way',
      { ...whole, again: reads('queued running failed failed failed') },
      'inconclusive',
    ],
    ['moves once', { ...whole, reads: reads('queued completed completed') }, 'inconclusive'],
    ['is refused', { ...whole, reads: [read('queued', 404)] }, 'inconclusive'],
    ['was not read', { ...whole, reads: [] }, 'inconclusive'],
  ] as const)('where it %s', ([, seen, expected]) => {
    expect(continuesUnread(seen, {}, waitedMs).is).toBe(expected)
  })
})
