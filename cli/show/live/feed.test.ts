import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { request } from 'undici'
import { finding } from '../../../reports/testing/run.testkit.ts'
import { serveRuns, type RunServer } from '../server.ts'
import { createFeed, type LiveFeed } from './feed.ts'
import { createRunQueue } from './reruns.ts'
import { eventsAt } from './session.testkit.ts'

let feed: LiveFeed
let server: RunServer
let origin: string
let authorization: string
beforeEach(async () => {
  feed = createFeed(() => 0)
  const session = { feed, queue: createRunQueue(feed), target: null, policy: null }
  server = await serveRuns({ runs: [], since: null, expected: null, session }, 0)
  const [place = '', token = ''] = server.url.split('/#token=')
  ;[origin, authorization] = [place, `Bearer ${token}`]
})
afterEach(() => server.close())

const begin = (number: number) => feed.begin({ number, folder: `out-${number}`, checks: null })
const failure = (at: number) =>
  ({ is: 'finding', finding: finding({ verdict: 'fail', scenario: `s${at}` }) }) as const

/** The numbered events up to a `state`, of which one follows all that there are. */
async function received(headers: Readonly<Record<string, string>> = {}): Promise<readonly string[]> {
  const found: string[] = []
  for await (const { id, event } of eventsAt(`${origin}/api/live/events`, { authorization, ...headers })) {
    if (event.type === 'state') return found
    found.push(`${id} ${event.type === 'failure' ? event.check : event.type}`)
  }
  throw new Error('the stream ended')
}

describe('the events of a run in progress', () => {
  it('resume after the last one that a reader has, without a loss', async () => {
    const run = begin(1)
    run.on(failure(1))
    expect(await received()).toEqual(['1 run', '2 idempotency/s1/IDEM-REPLAY-HEADER'])
    run.on(failure(2))
    run.on(failure(3))
    feed.end({ run: 'out-1', exitCode: 1, problem: null })
    const rest = ['3 idempotency/s2/IDEM-REPLAY-HEADER', '4 idempotency/s3/IDEM-REPLAY-HEADER', '5 ended']
    expect(await received({ 'last-event-id': '2' })).toEqual(rest)
    expect(await received({ 'last-event-id': '5' })).toEqual([])
  })

  it.each([
    ['a reader that has seen a part of an earlier run', '2'],
    ['a number that this session has not given', '99'],
  ])('are all those of the newest run for %s', async (_, id) => {
    begin(1).on(failure(1))
    feed.end({ run: 'out-1', exitCode: 1, problem: null })
    begin(2).on(failure(2))
    expect(await received({ 'last-event-id': id })).toEqual(['4 run', '5 idempotency/s2/IDEM-REPLAY-HEADER'])
  })

  it('arrive while the run goes on, the state after what adds up', async () => {
    const run = begin(1)
    const events = eventsAt(`${origin}/api/live/events`, { authorization })
    const types: string[] = []
    for await (const { event } of events) {
      types.push(event.type)
      if (types.length === 2) run.on(failure(1))
      if (event.type === 'state' && event.failed === 1) break
    }
    expect(types.slice(0, 2)).toEqual(['run', 'state'])
    expect(types.slice(-2)).toEqual(['failure', 'state'])
  })

  it('are sent to nobody without the token, and to no page of another origin', async () => {
    const statuses = [{}, { authorization, origin: 'http://localhost:1' }].map(async (headers) => {
      const { statusCode, body } = await request(`${origin}/api/live/events`, { headers })
      await body.dump()
      return statusCode
    })
    expect(await Promise.all(statuses)).toEqual([401, 403])
  })
})
