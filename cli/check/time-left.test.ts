import { describe, expect, it } from 'vitest'
import { createGovernor } from '../../suites/wire/budget/governor.ts'
import { timeLeft, type RunCourse } from './course.ts'

/** Scenarios of a run against the simulator, in order: the most requests of each, and those it sent. */
const standard = `
1:1 1:1 3:2 3:2 3:3 4:4 2:2 3:3 5:5 2:2 5:5 4:4 5:5 5:5 5:2 3:3 7:7 5:5 4:4 8:5 6:6 7:7 15:14 5:5 15:9
18:9 30:10 14:10 14:10 15:14 3:2 11:12 18:14 33:22 36:26 46:14 87:14 6:6 49:32 5:5 9:5 18:8 57:3 12:10 7:5
11:7 6:6 15:11 549:68 66:27 44:15 3:3 328:33 198:24 3:3 34:34 5:5 11:7 5:5 4:4 7:7 7:7 8:8 12:7 8:5 5:2
8:5 4:1 5:2 4:1 5:2 7:4 5:4 3:2 10:7 7:4 7:4 23:6 7:4 7:4 12:2 8:5 28:9 20:11 24:4 26:17 18:9 32:17 66:17
68:52 66:30 9:6 9:6 7:4 5:2 5:2 6:5 6:3 17:8 12:3 17:8 7:4 5:2 9:6 9:6 5:2 14:10 17:7 12:5 86:19 6:4
`
  .trim()
  .split(/\s+/)
  .map((pair) => pair.split(':').map(Number) as [most: number, sent: number])

const none = { at: Infinity, sent: Infinity }

interface Service {
  requestsPerMinute: number
  /** Of each response. */
  ms: number
}

/** A run of one key on a clock that only it moves; its course after each request and at each wait. */
async function courses(scenarios: typeof standard, { requestsPerMinute, ms }: Service): Promise<RunCourse[]> {
  const seen: RunCourse[] = []
  const course: RunCourse = {
    at: 0,
    sent: 0,
    ended: [],
    left: scenarios.map(([most]) => most),
    sentByEnded: 0,
    limits: none,
  }
  const clock = {
    now: () => course.at,
    sleep: async (time: number) => void (course.at += time),
    wall: () => new Date(course.at).toISOString(),
  }
  const governor = createGovernor({
    budgets: { requests: 1e6, turns: 1e6, credits: 1e6, wallSeconds: 1e6, requestsPerMinute },
    clock,
    onProgress({ waiting }) {
      if (!waiting) return
      const point = { at: course.at, sent: course.sent }
      course.waits = { first: course.waits?.first ?? point, last: { ...point, ms: waiting.ms } }
      seen.push({ ...course })
    },
  })
  for (const [most, requests] of scenarios) {
    for (let request = 0; request < requests; request++) {
      await governor.admit({ principal: 'main' })
      course.at += ms
      course.sent++
      seen.push({ ...course })
    }
    course.left = course.left.slice(1)
    course.ended = [...course.ended, most]
    course.sentByEnded = course.sent
  }
  return [...seen, { ...course }]
}

/** At the very end one scenario, and one burst more or less, decides. */
const windowMs = 61_000

describe('the time left of a run', () => {
  it.each([
    ['the standard profile', standard, { requestsPerMinute: 60, ms: 20 }],
    ['a slow target, below its rate', standard, { requestsPerMinute: 60, ms: 3_000 }],
    ['a higher rate', standard, { requestsPerMinute: 240, ms: 100 }],
  ])('is within a quarter of the truth from the third minute on: %s', async (_, scenarios, service) => {
    const all = await courses(scenarios, service)
    const end = all.at(-1)?.at ?? 0
    const later = all.filter(({ at }) => at >= 120_000 && at < end)
    const wrong = later.filter((course) => {
      const truth = end - course.at
      return Math.abs((timeLeft(course) ?? Infinity) - truth) > Math.max(truth / 4, end / 20 + windowMs)
    })

    expect(later.length).toBeGreaterThan(0)
    expect(wrong.map((course) => [course.at, timeLeft(course), end - course.at])).toEqual([])
  })

  it('is unknown before a scenario has ended', () => {
    expect(timeLeft({ at: 5_000, sent: 3, ended: [], left: [9], sentByEnded: 0, limits: none })).toBeNull()
  })

  const halfway = { at: 60_000, sent: 60, ended: [60], left: [60], sentByEnded: 60, limits: none }

  it('is not measured between two waits of one burst', () => {
    const first = { at: 20_000, sent: 60 }
    const waits = { first, last: { at: 61_000, sent: 61, ms: 500 } }
    expect(timeLeft({ ...halfway, at: 61_000, sent: 61, sentByEnded: 61, waits })).toBeLessThan(70_000)
  })

  it.each([
    ['time', { at: 70_000, sent: Infinity }],
    ['requests', { at: Infinity, sent: 70 }],
  ])('is no more than the run may still take: %s', (_, limits) => {
    expect(timeLeft(halfway)).toBe(60_000)
    expect(timeLeft({ ...halfway, limits })).toBe(10_000)
  })
})
