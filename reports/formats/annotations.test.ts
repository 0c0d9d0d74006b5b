import { expect, test } from 'vitest'
import { annotations } from './annotations.ts'
import { everyVerdict, finding, runOf } from '../testing/run.testkit.ts'

const linesOf = (...input: Parameters<typeof runOf>): readonly string[] =>
  annotations(runOf(...input))
    .split('\n')
    .filter((line) => line !== '')

test('failures and errors of ours are errors, warnings come after them, and nothing else is reported', () => {
  expect(linesOf(everyVerdict()).map((line) => line.slice(0, line.indexOf(' ')))).toEqual([
    '::error',
    '::error',
    '::warning',
  ])
})

test('no more than ten, the last of which says how many there are beside them', () => {
  const many = Array.from({ length: 25 }, (_, at) =>
    finding({
      verdict: 'fail',
      subject: 'IDEM-REPLAY-HEADER',
      scenario: `s${at}`,
      expected: 'this',
      got: `that ${'abcdefghijklmnopqrstuvwxyz'[at]}`,
    }),
  )
  const lines = linesOf(many)
  expect(lines).toHaveLength(10)
  expect(lines.at(-1)).toBe('::error title=Touchstone::16 more: see report.html')
})

test('no bytes of a target end a command or begin another', () => {
  const [line, ...rest] = linesOf([finding({ verdict: 'fail', got: '100%\r\n::set-output name=a::b' })])
  expect(rest).toEqual([])
  expect(line).toContain('got 100%25\\u000d%0A::set-output')
})
