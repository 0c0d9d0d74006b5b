import { describe, expect, test } from 'vitest'
import { createReportStore, createReportParser } from './report-lines.ts'

function parsed(text: string, pieces = 1_000) {
  const kept = createReportStore()
  const [problems, others]: [string[], unknown[]] = [[], []]
  const said = createReportParser({
    onReport: kept.add,
    onProblem: (problem) => problems.push(problem),
    onOther: (line) => others.push(line),
  })
  const bytes = Buffer.from(text)
  for (let from = 0; from < bytes.length; from += pieces) said.write(bytes.subarray(from, from + pieces))
  said.end()
  return { reported: kept.reported, problems, others }
}

const event = 'touchstone {"saw":"event","event":{"type":"token","token":"für 世界"}}'

describe('lines on stdout', () => {
  test.for([1, 2, 7, 1_000])('are read in pieces of %i bytes, whatever ends them', (pieces) => {
    const { reported, problems } = parsed(`${event}\r\nhello touchstone {}\n${event}`, pieces)
    expect(problems).toEqual([])
    const token = { saw: 'event', event: { type: 'token', token: 'für 世界' } }
    expect(reported).toEqual([token, token])
  })

  test.for<[string, string, number, number, number]>([
    ['is reported', 'touchstone {"saw":"result","result":null}', 1, 0, 0],
    ['needs no more than its kind', 'touchstone {"saw":"finished"}', 1, 0, 0],
    ['has what was seen', 'touchstone {"saw":"reply"}', 0, 1, 0],
    ['has it as an object', 'touchstone {"saw":"error","error":"401"}', 0, 1, 0],
    ['is an object', 'touchstone [1]', 0, 1, 0],
    ['may be behind a byte order mark', '\uFEFFtouchstone {"saw":"finished"}', 1, 0, 0],
    ['may be behind a reset of the colour', '\u001B[0mtouchstone {"saw":"finished"}', 1, 0, 0],
    ['is JSON', 'touchstone is my favourite word', 0, 1, 0],
    [
      'is nested no deeper than what is seen',
      `touchstone {"saw":"result","result":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
      0,
      1,
      0,
    ],
    ['may be of a later version', 'touchstone {"saw":"mood","mood":{}}', 0, 0, 0],
    ['may be none that was seen', 'touchstone {"end":1}', 0, 0, 1],
    ['begins with the word', ' touchstone {"saw":"finished"}', 0, 0, 0],
    [
      'is no longer than a line should be',
      `touchstone {"saw":"result","result":"${'x'.repeat(2 << 20)}"}`,
      0,
      0,
      0,
    ],
  ])('a line of the protocol %s', ([, line, reported, problems, others]) => {
    const said = parsed(`${line}\n${event}\n`)
    expect([said.reported.length - 1, said.problems.length, said.others.length]).toEqual([
      reported,
      problems,
      others,
    ])
  })
})
