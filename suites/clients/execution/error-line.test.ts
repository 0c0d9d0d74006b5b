import { expect, test } from 'vitest'
import { errorLineOf } from './error-line.ts'

const stripping =
  'Error [ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING]: Stripping types is currently unsupported for files under node_modules'

test.for([
  [
    'Node.js',
    stripping,
    [
      'node:internal:1',
      '    throw new ERR_X();',
      '    ^',
      '',
      stripping,
      '    at load',
      '',
      'Node.js v24.21.0',
    ],
  ],
  [
    'Python',
    "ModuleNotFoundError: No module named 'httpx'",
    [
      'Traceback (most recent call last):',
      '  File "a.py", line 1',
      "ModuleNotFoundError: No module named 'httpx'",
    ],
  ],
  ['Go', 'panic: no key', ['panic: no key', '', 'goroutine 1 [running]:', 'exit status 2']],
  [
    'Java',
    'Exception in thread "main" a.B: no key',
    ['Exception in thread "main" a.B: no key', '\tat a.C(C.java:1)'],
  ],
  ['a shell', 'sh: 1: app: not found', ['starting', 'sh: 1: app: not found']],
  ['a silent program', '', []],
] as const)('the line that says why a program ended: %s', ([, line, stderr]) => {
  expect(errorLineOf(`${stderr.join('\n')}\n`)).toBe(line)
})
