import { describe, expect, it } from 'vitest'
import type { Budgets } from '../../../bundle/record.ts'
import { realClock, type Clock } from '../clock.ts'
import type { Exchange, Header, Received } from '../exchange.ts'
import {
  createGovernor,
  type Admission,
  type BudgetRequest,
  type Governor,
  type BudgetProgress,
} from './governor.ts'

const plenty: Budgets = { requests: 1e6, turns: 1e6, credits: 1e6, wallSeconds: 1e6, requestsPerMinute: 60 }

/** A clock that moves only by sleeping, and records each sleep. */
function handClock(): Clock & { slept: number[] } {
  let at = 0
  const slept: number[] = []
  const sleep = async (ms: number): Promise<void> => {
    slept.push(ms)
    at += ms
  }
  return { now: () => at, sleep, wall: () => new Date(at).toISOString(), slept }
}

const headed = (prefix: string, remaining: string, reset: string): readonly Header[] => [
  [`${prefix}-Remaining`, remaining],
  [`${prefix}-Reset`, reset],
]

function answer(change: Partial<Received> | null, body = '', failure: Exchange['failure'] = null): Exchange {
  const about = { method: 'POST', path: '/api/v1/chat/a', principal: 'main' }
  const request = { ...about, headers: [], body: new Uint8Array() }
  const chunks = [{ at: 0, bytes: new Uint8Array(Buffer.from(body)) }]
  const response = change && { status: 200, headers: [], at: 0, chunks, complete: true, ...change }
  return { id: 1, scenario: 's', name: 'n', request, sentAt: 0, endedAt: 0, response, failure }
}
const fresh = (credits: number): Exchange => answer({}, `{"credits_used":${credits}}`)
const created = answer({ status: 201 }, '{"credits_used":2}')
const replay = answer({ headers: [['X-Service-Idempotent-Replay', 'true']] }, '{"credits_used":5}')
const cut = answer(null, '', { kind: 'aborted', message: 'we went away' })

function admitted(admission: Admission): Extract<Admission, { admitted: true }> {
  if (!admission.admitted) throw new Error(admission.because)
  return admission
}
/** A governor on a clock of its own, and the waits that it reports. */
function governed(budgets: Partial<Budgets> = {}) {
  const clock = handClock()
  const waits: BudgetProgress['waiting'][] = []
  const onProgress = ({ waiting }: BudgetProgress): unknown => waiting && waits.push(waiting)
  return { clock, waits, governor: createGovernor({ budgets: { ...plenty, ...budgets }, clock, onProgress }) }
}

async function spend(
  governor: Governor,
  ask: Partial<BudgetRequest>,
  exchanges: readonly Exchange[],
): Promise<void> {
  admitted(await governor.admit({ principal: 'main', ...ask })).settle(exchanges)
}

describe('the rate of a key', () => {
  const ask = { principal: 'main', turns: 0 }

  it('is never passed in any minute, wherever it begins, and a burst is not slowed', async () => {
    const { clock, governor } = governed()
    const sent: number[] = []
    let burst = 0
    for (let i = 0; i < 40; i++) {
      const count = i % 3 === 0 ? 10 : 1
      await governor.admit({ ...ask, count })
      sent.push(...Array.from({ length: count }, () => clock.now()))
      if (i % 4 === 0) await clock.sleep(900)
      if (sent.length <= 60) burst = clock.slept.length
    }
    expect(clock.slept.slice(0, burst)).toEqual(clock.slept.slice(0, burst).fill(900))
    const most = Math.max(...sent.map((from) => sent.filter((at) => at >= from && at < from + 60_000).length))
    expect(most).toBe(60)
  })

  it('is held by several that wait at once, and apart from other keys and from requests without one', async () => {
    const { clock, governor } = governed({ requestsPerMinute: 2 })
    const times = await Promise.all(
      Array.from({ length: 5 }, () => governor.admit(ask).then(() => Math.floor(clock.now() / 60_000))),
    )
    expect(times).toEqual([0, 0, 1, 1, 2])
    const before = clock.now()
    await governor.admit({ ...ask, principal: 'other' })
    for (let i = 0; i < 9; i++) await governor.admit({ ...ask, principal: null })
    expect(clock.now()).toBe(before)
  })

  it('is held without a key, too, where one is named', async () => {
    const clock = handClock()
    const governor = createGovernor({ budgets: plenty, perMinuteWithoutKey: 2, clock })
    for (let i = 0; i < 5; i++) await governor.admit({ principal: null })
    expect(Math.floor(clock.now() / 60_000)).toBe(2)
  })

  const date = ['Date', 'Thu, 26 Nov 2026 10:00:00 GMT'] as const
  const unix = Date.parse(date[1]) / 1000
  /** Of 45 requests the limit leaves 9, of which the scenario needs 10. */
  it.each<[what: string, headers: readonly Header[], ms: number]>([
    ['a Unix time', headed('X-RateLimit', '9', `${unix + 30}`), 31_000],
    ['a Unix time in milliseconds', headed('X-Rate-Limit', '9', `${unix * 1000 + 30_000}`), 31_000],
    ['seconds from now', headed('RateLimit', '9', '30'), 31_000],
    ['a time, with enough left', headed('X-RateLimit', '10', `${unix + 30}`), 0],
  ])('waits before a scenario for others who use the key until the reset: %s', async (_, headers, ms) => {
    const { clock, governor } = governed({ requestsPerMinute: 45 })
    await spend(governor, ask, [answer({ status: 400, headers: [date, ...headers] })])
    await governor.ready('main', 10)
    await governor.ready('other', 10)
    expect(clock.now()).toBe(ms)
  })

  it('takes what a limit counts of its own requests for no one else’s', async () => {
    const { clock, governor } = governed({ requestsPerMinute: 45 })
    const left = (count: number): Exchange => answer({ headers: headed('RateLimit', `${60 - count}`, '60') })
    const early = admitted(await governor.admit(ask))
    await spend(governor, { ...ask, count: 40 }, [left(41)])
    early.settle([left(1)])
    await clock.sleep(30_000)
    await spend(governor, { ...ask, count: 4 }, [left(45)])
    await governor.ready('main', 20)
    expect(clock.now()).toBe(61_000)
  })

  it('lets go of a wait, and of everything after it, when the run is ended', async () => {
    const clock = realClock()
    const ending = new AbortController()
    const budgets = { ...plenty, requestsPerMinute: 1 }
    const onProgress = ({ waiting }: BudgetProgress): void => {
      if (waiting) ending.abort()
    }
    const governor = createGovernor({ budgets, clock, signal: ending.signal, onProgress })
    await governor.admit(ask)
    expect(await governor.admit(ask)).toEqual({ admitted: false, because: 'the run was ended early' })
    await governor.ready('main', 1)
  })

  it('recovers when the target’s clock is advanced, by the wait or elsewhere, and ours does not', async () => {
    const advanced: number[] = []
    const clock = handClock()
    const budgets = { ...plenty, requestsPerMinute: 1, wallSeconds: 1 }
    const waits: BudgetProgress['waiting'][] = []
    const onProgress = ({ waiting }: BudgetProgress): unknown => waiting && waits.push(waiting)
    const wait = async (ms: number) => void advanced.push(ms)
    const governor = createGovernor({ budgets, clock, wait, onProgress })
    for (let i = 0; i < 3; i++) await governor.admit(ask)
    expect(advanced).toEqual([61_000, 61_000])
    governor.skip(61_000)
    expect((await governor.admit(ask)).admitted).toBe(true)
    expect(advanced).toHaveLength(2)
    expect([clock.slept, waits]).toEqual([[], []])
  })

  it.each([
    ['its body', answer({ status: 429 }, '{"error":"x","retry_after_seconds":7}'), 7_000],
    ['its header', answer({ status: 429, headers: [['Retry-After', '2']] }, '{}'), 2_000],
    ['no number', answer({ status: 429 }, '{"retry_after_seconds":"soon"}'), 0],
  ])('stops for as long as a 429 asks in %s', async (_, refused, ms) => {
    const { clock, governor } = governed()
    await spend(governor, { turns: 0 }, [refused])
    await governor.admit(ask)
    expect(clock.now()).toBe(ms)
  })

  it('is left aside for what is sent unpaced, which still counts for what comes after', async () => {
    const { clock, governor, waits } = governed({ requestsPerMinute: 3 })
    for (let i = 0; i < 5; i++) await governor.admit({ ...ask, unpaced: true })
    expect(clock.slept).toEqual([])
    await governor.admit(ask)
    expect(waits).toEqual([{ principal: 'main', ms: 61_000 }])
  })
})

describe('the caps of a run', () => {
  it.each<[cap: string, budgets: Partial<Budgets>, exchange: Exchange, fits: number]>([
    ['requests', { requests: 3 }, answer({ status: 404 }), 3],
    ['turns, by fresh turns', { turns: 3 }, fresh(1), 3],
    ['turns, by those that may have run', { turns: 3 }, cut, 3],
    ['turns, by those that met themselves', { turns: 3 }, { ...replay, resent: true }, 3],
    ['credits', { credits: 7 }, fresh(2), 3],
  ])('refuse what would pass them: %s', async (_, caps, exchange, fits) => {
    const { governor } = governed(caps)
    for (let i = 0; i < fits; i++) await spend(governor, {}, [exchange])
    const refused = await governor.admit({ principal: 'main' })
    expect(refused).toEqual({ admitted: false, because: expect.stringMatching(/the run may use \d/) })
  })

  it.each([
    ['a replay', replay],
    ['a refusal', answer({ status: 409 }, '{"error":"IDEMPOTENCY_CONFLICT"}')],
  ])('count no turn and no credit for %s', async (_, exchange) => {
    const { governor } = governed()
    await spend(governor, { turns: 0 }, [exchange])
    expect(governor.used()).toMatchObject({ requests: 1, turns: 0, credits: 0 })
  })

  it('adds no amounts that are beyond all measure', async () => {
    const { governor } = governed()
    for (const credits of [-1e308, -1e308, 1e308, 1e308])
      await spend(governor, { turns: 0 }, [fresh(credits)])
    expect(governor.used().credits).toBe(2e12)
  })

  it('count a turn that nobody reckoned with, and tenths of a credit as tenths', async () => {
    const { governor } = governed()
    for (const tenths of [0.1, 0.2, 0.4]) await spend(governor, { turns: 0 }, [fresh(tenths)])
    expect(governor.used()).toMatchObject({ requests: 3, turns: 3, credits: 0.7 })
  })

  it('count every turn of a race, even more than it was to have', async () => {
    const { governor } = governed()
    await spend(governor, { count: 4, turns: 1 }, [fresh(2), replay, cut, cut])
    expect(governor.used()).toMatchObject({ requests: 4, turns: 1, credits: 2 })
    await spend(governor, { count: 3, turns: 1 }, [fresh(2), created, cut])
    expect(governor.used()).toMatchObject({ requests: 7, turns: 3, credits: 6 })
  })

  it('hold turns under way in reserve, at the dearest price seen, until they are settled', async () => {
    const { governor } = governed({ credits: 10, turns: 3 })
    await spend(governor, {}, [fresh(4)])
    const open = admitted(await governor.admit({ principal: 'main' }))
    expect(await governor.admit({ principal: 'main' })).toMatchObject({
      because: expect.stringMatching(/10 credits.*12/),
    })
    expect((await governor.admit({ principal: 'main', turns: 0 })).admitted).toBe(true)
    open.settle([replay])
    open.settle([fresh(4)])
    expect(governor.used()).toMatchObject({ turns: 1, credits: 4 })
    expect((await governor.admit({ principal: 'main' })).admitted).toBe(true)
  })

  it('refuse to sleep past the end of the run', async () => {
    const { clock, governor } = governed({ requestsPerMinute: 1, wallSeconds: 30 })
    await governor.admit({ principal: 'main' })
    expect(await governor.admit({ principal: 'main' })).toMatchObject({
      because: expect.stringMatching(/30 seconds/),
    })
    expect(clock.slept).toEqual([])
  })
})
