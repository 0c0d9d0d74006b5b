import { expect, test } from 'vitest'
import type { Context } from '../../scenario/scenario.ts'
import { stepNote } from './step-result.ts'
import { containsValue, reachesCaller, resultHas } from './reported.ts'
import type { ClientReport } from '../../../reports/bundle/client-report.ts'

function reporting(...reported: readonly ClientReport[]): Context {
  const result = { ended: 'exit', exitCode: 0, reported: reported, stdout: '', stderr: '' }
  return { dialect: {}, notes: { [stepNote('step')]: JSON.stringify(result) } }
}

test.for([
  ['a text as it is', { code: 'NO_SYSTEM' }, 'NO_SYSTEM', true],
  ['a text within another', { message: 'it failed: NO_SYSTEM.' }, 'NO_SYSTEM', true],
  ['a number as it is', { credits: { remaining: 417 } }, 417, true],
  ['a number written out', ['417 credits are left'], 417, true],
  ['a name of a member', { NO_SYSTEM: true }, 'NO_SYSTEM', false],
  ['another number', { remaining: 41 }, 417, false],
] as const)('%s', ([, value, wanted, isThere]) => {
  expect(containsValue(value, wanted)).toBe(isThere)
})

const failure: ClientReport = { saw: 'error', error: { code: 'NO_SYSTEM', resolution: 'Connect one.' } }

test.for([
  ['all of it', reporting(failure), 'pass'],
  ['all of it, in two lines', reporting({ saw: 'result', result: 'NO_SYSTEM' }, failure), 'pass'],
  ['a part of it', reporting({ saw: 'error', error: { code: 'NO_SYSTEM' } }), 'fail'],
  ['something else', reporting({ saw: 'finished' }), 'fail'],
  ['nothing', reporting(), 'inconclusive'],
] as const)('an application that reports %s of a failure', ([, context, is]) => {
  expect(reachesCaller(context, 'step', ['NO_SYSTEM', 'Connect one.']).is).toBe(is)
})

test.for([
  ['at its place', reporting({ saw: 'result', result: { plan: { displayName: 'Lantern' } } }), 'pass'],
  ['elsewhere', reporting({ saw: 'result', result: { plan: { name: 'Lantern' } } }), 'fail'],
  ['in no result', reporting({ saw: 'finished' }), 'inconclusive'],
] as const)('what a read came to stands %s', ([, context, is]) => {
  expect(resultHas(context, 'step', { '/plan/displayName': 'Lantern' }).is).toBe(is)
})
