import { expect, test } from 'vitest'
import { unrest } from './done-once.ts'
import { jsonAnswer } from '../../assertions/exchange.testkit.ts'
import { bothKinds, goesOn, notHeld, oneTask, uploadRefusedBeside, sameUpload, storedOnce } from './upload.ts'

const prepared = (id = 'u1') => jsonAnswer({ status: 'completed', data: { uploadId: id } })
const done = () => jsonAnswer({ status: 'completed', data: {} })
const task = (id = 't1') => jsonAnswer({ status: 'accepted', task_id: id }, { status: 202 })
const held = () => jsonAnswer({ status: 'pending_approval', approval_id: 'a' }, { status: 202 })
const failed = () => jsonAnswer({ status: 'failed', error: { code: 'X', resolution: 'y' } })
const refused = () => jsonAnswer({ error: 'no' }, { status: 403 })
const plain = () => jsonAnswer({ url: '/somewhere' }, { status: 201 })

test('a step goes on with any success that neither failed nor waits', () => {
  const steps = [prepared(), task(), plain(), held(), failed(), refused()]
  expect(steps.map(goesOn)).toEqual([true, true, true, false, false, false])
})

test.for([
  ['both taken', done(), task(), 'pass', 'pass'],
  ['one held', held(), done(), 'fail', 'inconclusive'],
  ['one refused', done(), refused(), 'pass', 'fail'],
  ['one failed', failed(), done(), 'pass', 'fail'],
  ['both refused', refused(), refused(), 'inconclusive', 'inconclusive'],
] as const)('two kinds of spreadsheets, %s', ([, csv, workbook, waits, kinds]) => {
  expect([notHeld(csv, workbook).is, bothKinds(csv, workbook).is]).toEqual([waits, kinds])
})

test.for([
  ['at the first step', [prepared(), done()], [refused()], 'pass'],
  ['at the last step', [prepared(), done()], [prepared(), failed()], 'pass'],
  ['beside one that is held', [prepared(), held()], [refused()], 'pass'],
  ['at no step', [prepared(), done()], [prepared(), task()], 'fail'],
  ['only because it would wait', [prepared(), held()], [prepared(), held()], 'fail'],
  ['as everybody is', [refused()], [refused()], 'inconclusive'],
] as const)('an upload is refused %s', ([, twin, other, expected]) => {
  expect(uploadRefusedBeside(twin, other, 'document').is).toBe(expected)
})

test.for([
  ['the same id', [prepared('a'), done()], [prepared('a'), done()], 'pass'],
  ['another id, taken too', [prepared('a'), done()], [prepared('b'), done()], 'fail'],
  ['another id, refused', [prepared('a'), done()], [prepared('b'), refused()], 'pass'],
  ['no id', [plain(), done()], [plain(), done()], 'inconclusive'],
] as const)('what is sent again has %s', ([, first, again, expected]) => {
  expect(sameUpload(first, again, {}, 'spreadsheet').is).toBe(expected)
})

test('of a race those that were taken lead to one task', () => {
  expect(oneTask([task(), refused(), task()], {}).is).toBe('pass')
  expect(oneTask([task('a'), task('b')], {}).is).toBe('fail')
  expect(oneTask([refused(), refused()], {}).is).toBe('inconclusive')
})

test('an upload counts one, where it is counted', () => {
  expect(storedOnce(1, []).is).toBe('pass')
  expect(storedOnce(2, []).is).toBe('fail')
  expect(storedOnce(0, []).is).toBe('inconclusive')
  expect(storedOnce(undefined, []).is).toBe('inconclusive')
  expect(storedOnce(2, [], { [unrest]: true }).is).toBe('inconclusive')
})
