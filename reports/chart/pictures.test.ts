import { describe, expect, it } from 'vitest'
import type { Exchange, Run } from '../../bundle/record.ts'
import { style } from '../document/style.ts'
import type { Markup } from '../document/markup.ts'
import { elements } from '../testing/page.testkit.ts'
import { everyVerdict, exchange, runOf } from '../testing/run.testkit.ts'
import { timeTicks } from './picture.ts'
import { inAnyMinute, requestsOverTime } from './requests.ts'
import { streamTimeline } from './stream.ts'

const hostile = `</text></svg></style><script>alert(1)</script><img src=x onerror=alert(1)>"'&\u0000\u001b\u202e`

const pictures: Readonly<Record<string, (run: Run) => Markup>> = {
  requestsOverTime,
  streamTimeline: ({ journal }) => streamTimeline(journal.find(isStream) ?? exchange(1)),
}

function isStream({ response }: Exchange): boolean {
  return response?.headers.some(([, value]) => value === 'text/event-stream') === true
}

/** A run with something for each picture; whatever a target or a user may name is `name`. */
function busy(name: string, times = 3): Run {
  const sent = Array.from({ length: times }, (_, index): Exchange => {
    const one = exchange(index, { came: '{"credits_used":1}', sentAt: 20 * index, endedAt: 20 * index + 9 })
    return { ...one, request: { ...one.request, principal: `${index % 9} ${name}` } }
  })
  const refused: Exchange = {
    ...exchange(1),
    response: { status: 429, headers: [], at: 15, chunks: [], complete: true },
  }
  const findings = everyVerdict().map((one) => ({ ...one, check: `${one.check}${name}` }))
  return runOf(findings, {}, [...sent, refused, streamed(name, times)])
}

function streamed(name: string, reads: number): Exchange {
  const event = (index: number) => `data: ${JSON.stringify({ type: `${name}${index % 20}` })}\n\n`
  return exchange(1, {
    sentAt: 0,
    endedAt: 50 * reads,
    response: {
      status: 200,
      headers: [['content-type', 'text/event-stream']],
      at: 1,
      chunks: Array.from({ length: reads }, (_, index) => ({
        at: 2 + 47 * index,
        bytes: new TextEncoder().encode(event(index)),
      })),
      complete: false,
    },
  })
}

// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const hidden = /[\u0000-\u0009\u000b-\u001f\u202e]/

describe.each(Object.entries(pictures))('%s', (_, draw) => {
  it('names itself and says what it shows, in ids of its own', () => {
    const { markup } = draw(busy('main'))
    const [, title = '', desc = ''] = /role="img"\s+aria-labelledby="(\S+) (\S+)"/.exec(markup) ?? []

    expect(markup).toContain(`<title id="${title}">`)
    expect(markup).toContain(`<desc id="${desc}">`)
    expect(markup.match(/\sid="/g)).toHaveLength(2)
  })

  it('shows hostile names as text, and carries no style, script or address', () => {
    const { markup } = draw(busy(hostile))

    expect(elements(markup)).not.toBeNull()
    expect(elements(markup)).toEqual(elements(draw(busy('main')).markup))
    expect(markup).not.toMatch(hidden)
    expect(markup).not.toMatch(/<(script|img|a|image|use|style)\b|\s(href|src|style|on\w+)=|url\(/i)
  })

  it('stays small, however much there was', () => {
    const { markup } = draw(busy('a name of some length', 5_000))

    expect(markup.length).toBeGreaterThan(1_000)
    expect(markup.length).toBeLessThan(15_000)
  })

  it('has no place that is not a number, whatever the times and numbers are', () => {
    const odd = [Number.NaN, Infinity, -Infinity, -1, 0, 1e-9, 1e300, Number.MAX_SAFE_INTEGER]
    for (const at of odd) {
      const run = busy('main')
      const journal = run.journal.map((one): Exchange => ({
        ...one,
        sentAt: at,
        endedAt: at,
      }))
      const budgets = { ...run.record.budgets, requestsPerMinute: at, credits: at }
      const { markup } = draw({ record: { ...run.record, budgets }, journal })
      expect(markup).not.toMatch(/NaN|Infinity|undefined|null/)
    }
  })

  it('is nothing for a run without anything', () => {
    expect(draw(runOf([], {}, []))).toEqual({ markup: '' })
  })

  it('uses no class that the sheet does not know', () => {
    const classes = [...draw(busy('main')).markup.matchAll(/class="([^"]*)"/g)].flatMap(([, names = '']) =>
      names.split(' '),
    )
    const ofPage = ['good', 'bad', 'doubt', 'quiet', 'soft']
    const unknown = new Set(classes).difference(new Set(ofPage))
    for (const name of unknown) expect(style).toContain(`.${name}`)
  })
})

describe('the words of a picture', () => {
  const limited = exchange(2)
  const response = limited.response && { ...limited.response, status: 429 }
  const clock = { name: 'simulator', kind: 'simulator', baseUrl: 'http://127.0.0.1:1' } as const
  const counted = exchange(1)
  const headers = [
    ['X-RateLimit-Limit', '60'],
    ['x-ratelimit-remaining', '2'],
  ] as const
  const said = counted.response && { ...counted.response, headers }

  it.each<[string, Markup, string]>([
    [
      'the key that came nearest to the rate, and those that met a 429',
      requestsOverTime(runOf([], {}, [exchange(1), { ...limited, response }])),
      'At most 2 of 60 requests in any minute, by key main; 2 requests in 27 ms. 429 was answered to key main (1).',
    ],
    [
      'what the target counted, once its clock was moved on',
      requestsOverTime(runOf([], { target: clock }, [{ ...counted, response: said }])),
      'At most 58 of 60 requests in any minute, by key main; 1 request in 17 ms. None was answered 429. The run moved the clock of the target on, so its minutes are not ours: the counts are its own, from X-RateLimit headers.',
    ],
    [
      'the course of a stream',
      streamTimeline(streamed('t', 2)),
      'Headers after 1 ms; 2 reads with 42 bytes and 2 events (1 t0 and 1 t1); the longest silence 51 ms; cut off after 100 ms.',
    ],
  ])('name %s', (_, { markup }, words) => {
    expect(/<desc[^>]*>([^<]*)</.exec(markup)?.[1]).toBe(words)
  })
})

describe('the requests within a minute', () => {
  it.each([
    ['one that stays for its minute', [0], [1, 1, 0, 0]],
    ['one a minute later, which finds it gone', [0, 60_000], [1, 1, 1, 1]],
    ['one a little earlier, which does not', [0, 59_999], [1, 2, 1, 1]],
    ['a burst within a bin', [100_000, 100_000, 100_001], [0, 0, 0, 3]],
    ['one at the very end', [120_000], [0, 0, 0, 1]],
  ])('are, of %s, the most in each half minute', (_, times, most) => {
    expect(inAnyMinute(times, { end: 120_000, bins: 4 })).toEqual(most)
  })

  it('are drawn for the four busiest keys, and say how many there are', () => {
    const journal = ['a', 'b', 'c', 'd', 'e'].flatMap((principal, index) =>
      Array.from({ length: 9 - index }, () => {
        const one = exchange(1, { sentAt: 0, endedAt: 1 })
        return { ...one, request: { ...one.request, principal } }
      }),
    )
    const { markup } = requestsOverTime(runOf([], {}, journal))
    expect(markup.match(/key \w: at most \d/g)).toEqual(
      [9, 8, 7, 6].map((most, at) => `key ${'abcd'[at]}: at most ${most}`),
    )
    expect(markup).toContain('of 5 keys the 4 busiest are drawn')
  })
})

it('an axis of time has few round places', () => {
  for (const end of [0.001, 1, 1e6, 1e10, Number.MAX_SAFE_INTEGER])
    expect(timeTicks(end).length).toBeLessThan(7)
  expect(timeTicks(95_000).map(({ label }) => label)).toEqual(['0', '30 s', '60 s', '90 s'])
})
