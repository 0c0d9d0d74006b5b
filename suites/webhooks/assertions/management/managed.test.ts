import { describe, expect, it } from 'vitest'
import { answer, jsonAnswer } from '../../../assertions/exchange.testkit.ts'
import { resultOf, refusedCredentials, requestAccepted, refusedContent } from './managed.ts'

const on = (status: number) => answer('', { status })

describe.each([
  // status, accepted, refused, unauthorized
  [200, 'pass', 'fail', 'fail'],
  [204, 'pass', 'fail', 'fail'],
  [302, 'fail', 'fail', 'pass'],
  [400, 'fail', 'pass', 'pass'],
  [401, 'inconclusive', 'pass', 'pass'],
  [402, 'inconclusive', 'inconclusive', 'pass'],
  [403, 'inconclusive', 'pass', 'pass'],
  [404, 'fail', 'pass', 'pass'],
  [422, 'fail', 'pass', 'pass'],
  [429, 'inconclusive', 'inconclusive', 'inconclusive'],
  [500, 'fail', 'inconclusive', 'inconclusive'],
  [503, 'inconclusive', 'inconclusive', 'inconclusive'],
] as const)('a management request that was answered %d', (status, take, away, out) => {
  it.each([
    ['taken', requestAccepted(on(status)), take],
    ['refused for what it asks', refusedContent(on(status), 'it'), away],
    ['refused for who asks', refusedCredentials(on(status), 'it'), out],
  ])('%s: %o', (_, { is }, expected) => {
    expect(is).toBe(expected)
  })
})

it('says nothing where no whole answer came', () => {
  const broken = jsonAnswer({}, { failure: 'timeout' })
  expect(
    [requestAccepted(broken), refusedContent(broken, 'it'), refusedCredentials(broken, 'it')].map(
      ({ is }) => is,
    ),
  ).toEqual(Array.from({ length: 3 }, () => 'inconclusive'))
  expect(resultOf(broken)).toBe('no whole answer')
})
