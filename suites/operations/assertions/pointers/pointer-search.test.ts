import { describe, expect, it } from 'vitest'
import type { Dialect } from '../../../config/dialect.ts'
import { jsonAnswer } from '../../../assertions/exchange.testkit.ts'
import { discoveredIn } from './pointer-discovery.ts'
import { approvalIdOf, taskIdOf, uploadIdOf } from './pointer-receipt.ts'
import { countIn, decisionIn, taskStateIn } from './pointer-state.ts'

describe('the id of a task', () => {
  it.for<[body: unknown, id: string | null]>([
    [{ status: 'accepted', task_id: 't1' }, 't1'],
    [{ status: 'accepted', taskId: 't1' }, 't1'],
    [{ status: 'accepted', task: { id: 't1' } }, 't1'],
    [{ status: 'accepted', task: 't1' }, 't1'],
    [{ status: 'accepted', task: { href: '/x', id: 17 } }, '17'],
    [{ status: 'accepted', links: { task: { id: 't1' } } }, 't1'],
    [{ status: 'accepted', data: { task_id: 'old' }, task_id: 't1' }, 't1'],
    [{ status: 'accepted', approval_id: 'a1', id: 'r1', task_id: '' }, null],
    [[], null],
  ])('is found in %j', ([body, id]) => {
    expect(taskIdOf(jsonAnswer(body), {})).toBe(id)
  })

  it('is what is declared, and nothing else', () => {
    const dialect = { receipt: { taskId: '/id', approvalId: '/approval' } }
    const receipt = jsonAnswer({ id: 'r1', task_id: 't1', approval_id: 'a1' })
    expect(taskIdOf(receipt, dialect)).toBe('r1')
    expect(approvalIdOf(receipt, dialect)).toBe(null)
    expect(approvalIdOf(receipt, {})).toBe('a1')
  })

  it('is none of an upload', () => {
    expect(uploadIdOf(jsonAnswer({ data: { uploadId: 'u1', task_id: 't1' } }), undefined)).toBe('u1')
  })
})

describe('what discovery lists', () => {
  const schema = { type: 'object' }
  it.for<[what: string, body: unknown, dialect: Dialect, found: unknown]>([
    ['a list in a member', { operations: [{ id: 'a', inputSchema: schema }] }, {}, [{ id: 'a', schema }]],
    ['a bare list', [{ operation_id: 'a', input_schema: schema }], {}, [{ id: 'a', schema }]],
    ['an empty list', { operations: [] }, {}, []],
    ['no list', { operations: { b: schema } }, {}, null],
    [
      'an object with an id that is known',
      { all: { a: { input: schema }, b: {} } },
      {},
      [{ id: 'a', schema }, { id: 'b' }],
    ],
    [
      'a declared object',
      { x: { n: { s: schema } } },
      { discovery: { list: '/x', schema: '/s' } },
      [{ id: 'n', schema }],
    ],
    ['a declared object that is empty', { x: {} }, { discovery: { list: '/x' } }, []],
    ['a list of texts', { operations: ['a'] }, {}, null],
    ['no schema', [{ id: 'a', title: 'A' }], {}, [{ id: 'a', schema: undefined }]],
    ['a schema that is none', [{ id: 'a', schema: 'none' }], {}, [{ id: 'a', schema: undefined }]],
    ['a list before the one that is known', { tags: [{ id: 'x' }], all: [{ name: 'a' }] }, {}, [{ id: 'a' }]],
    ['an id that is not the first', [{ id: '1', name: 'a' }], {}, [{ id: 'a' }]],
    [
      'a declared place',
      { x: [{ id: '1', n: 'b', s: schema }] },
      { discovery: { list: '/x', id: '/n', schema: '/s' } },
      [{ id: 'b', schema }],
    ],
    ['a declared place with nothing there', [{ id: 'a' }], { discovery: { list: '/x' } }, null],
  ])('is read from %s', ([, body, dialect, found]) => {
    expect(discoveredIn(jsonAnswer(body), dialect, ['a'])).toEqual(found)
  })
})

describe('a decision', () => {
  it.for<[body: unknown, dialect: Dialect, decision: string | null]>([
    [{ state: 'pending' }, {}, 'pending'],
    [{ status: 'PENDING_APPROVAL' }, {}, 'pending'],
    [{ state: 'new', status: 'approved' }, {}, 'approved'],
    [{ approval: { state: 'denied' } }, {}, 'rejected'],
    [{ state: 'expired' }, {}, null],
    [{ state: 'ja' }, { approval: { approved: ['Ja'] } }, 'approved'],
    [{ state: 'approved' }, { approval: { approved: ['ja'] } }, null],
    [{ state: 'approved', is: 'rejected' }, { approval: { state: '/is' } }, 'rejected'],
  ])('of %j is read', ([body, dialect, decision]) => {
    expect(decisionIn(jsonAnswer(body), dialect)).toBe(decision)
  })
})

it('the state of a task stands where the contract has it, unless it is declared elsewhere', () => {
  const task = jsonAnswer({ state: 'running', task: { state: 'queued' } })
  expect(taskStateIn(task, {})).toBe('running')
  expect(taskStateIn(task, { task: { state: '/task/state' } })).toBe('queued')
})

it('a count is a number or the length of a list', () => {
  const receipt = jsonAnswer({ data: { count: 3, notes: [1, 2], total: '4' } })
  expect(
    ['/data/count', '/data/notes', '/data/total', '/data/none'].map((at) => countIn(receipt, at)),
  ).toEqual([3, 2, null, null])
})
