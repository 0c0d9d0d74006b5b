import { expect, test } from 'vitest'
import type { Context } from '../../scenario/scenario.ts'
import { jsonAnswer } from '../../assertions/exchange.testkit.ts'
import { jsonValuesIn, refusedLocally } from './command.ts'
import { stepNote } from '../assertions/step-result.ts'
import type { StepResult } from '../../../reports/bundle/client-report.ts'

test.for([
  ['one value', '{"a":1}\n', [{ a: 1 }]],
  ['one value over several lines', '{\n  "a": [\n    1\n  ]\n}', [{ a: [1] }]],
  ['a value a line', '{"a":1}\n{"a":2}\r\n\n"b"\n', [{ a: 1 }, { a: 2 }, 'b']],
  ['several values over several lines', '{\n"a":1\n}\n[\n2\n]\n', [{ a: 1 }, [2]]],
  ['nothing', '', []],
  ['words before it', 'Reply:\n{"a":1}\n', null],
  ['words behind it', '{"a":1}\nThat was all.\n', null],
  ['events as they came', 'data: {"a":1}\n', null],
  ['a value that was cut off', '{"a":1}\n{"a":', null],
] as const)('JSON in what was printed: %s', ([, printed, values]) => {
  expect(jsonValuesIn(printed)).toEqual(values)
})

function ended(exitCode: number | null, how: StepResult['ended'] = 'exit'): Context {
  const result: StepResult = { ended: how, exitCode, reported: [], stdout: '', stderr: '' }
  return { dialect: {}, notes: { [stepNote('step')]: JSON.stringify(result) } }
}

const [served, unserved] = [jsonAnswer({}), jsonAnswer({}, { status: 401 })]

test.for([
  ['refused with an exit code', [served], [], ended(2), 'pass'],
  ['refused by a signal to itself', [served], [], ended(null), 'pass'],
  ['refused as if all were well', [served], [], ended(0), 'fail'],
  ['sent all the same', [served], [served], ended(1), 'fail'],
  ['waiting for a person', [served], [], ended(null, 'timeout'), 'inconclusive'],
  ['beside a twin that was not served', [unserved], [], ended(2), 'inconclusive'],
  ['beside no twin', [], [], ended(2), 'inconclusive'],
] as const)('a command that is %s', ([, twin, sent, context, is]) => {
  expect(refusedLocally(twin, sent, context, 'step').is).toBe(is)
})
