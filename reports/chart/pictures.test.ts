import { describe, expect, it } from 'vitest'
import type { Exchange, Run } from '../bundle/record.ts'
import { style } from '../document/style.ts'
import type { Markup } from '../document/markup.ts'
import { everyVerdict, exchange, finding, runOf } from '../testing/run.testkit.ts'
import {
  creditsOverRun,
  deliveryAttempts,
  requestsOverTime,
  streamTimeline,
  verdictsByArea,
} from './index.ts'

const hostile = `</text></svg></style><script>alert(1)</script><img src=x onerror=alert(1)>"'&\u0000\u001b\u202e`

const pictures: Readonly<Record<string, (run: Run) => Markup>> = {
  verdictsByArea,
  requestsOverTime,
  creditsOverRun,
  deliveryAttempts,
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
  const came = Array.from({ length: times }, (_, index): Exchange => {
    const one = exchange(index, { scenario: name, inbound: { place: name, targetAt: 30 * index } })
    const headers = [['x-service-delivery-id', `${index >> 2}${name}`] as const]
    return {
      ...one,
      sentAt: 30 * index,
      request: { ...one.request, headers },
      response: null,
      failure: { kind: 'reset', message: name },
    }
  })
  const findings = everyVerdict().map((one) => ({ ...one, check: `${one.check}${name}` }))
  return runOf(findings, {}, [...sent, refused, streamed(name, times), ...came])
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

/** Names of the elements in order; null where one is closed out of order or not at all. */
function elements(markup: string): string[] | null {
  const open: string[] = []
  const seen: string[] = []
  for (const [, slash, name = ''] of markup.matchAll(/<(\/?)([a-z!][a-z0-9]*)[^>]*>/gi)) {
    if (slash && open.pop() !== name) return null
    if (slash) continue
    seen.push(name)
    open.push(name)
  }
  return open.length === 0 ? seen : null
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

  it('is the same each time', () => {
    expect(draw(busy('main'))).toEqual(draw(busy('main')))
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
        ...(one.inbound ? { inbound: { ...one.inbound, targetAt: at } } : {}),
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
  const said = ({ markup }: Markup): string | undefined => /<desc[^>]*>([^<]*)</.exec(markup)?.[1]

  it('name the areas that failed, the worst first', () => {
    const failed = (area: 'chat-request' | 'auth', count: number) =>
      Array.from({ length: count }, (_, index) =>
        finding({ area, verdict: 'fail', check: `${area}/${index}/X` }),
      )

    expect(said(verdictsByArea(runOf([finding(), ...failed('chat-request', 1), ...failed('auth', 2)])))).toBe(
      '4 checks in 3 areas: 1 pass and 3 fail. Failures or errors in auth (2) and chat-request (1).',
    )
  })

  it('name the key that came nearest to the rate, and those that met a 429', () => {
    const limited = exchange(2)
    const response = limited.response && { ...limited.response, status: 429 }
    const journal = [exchange(1), { ...limited, response }]

    expect(said(requestsOverTime(runOf([], {}, journal)))).toBe(
      'At most 2 of 60 requests in any minute, by key main; 2 requests in 27 ms. 429 was answered to key main (1).',
    )
  })

  it('show of a run that counted other credits than its answers report', () => {
    const journal = [exchange(1, { came: '{"credits_used":4}' })]

    expect(said(creditsOverRun(runOf([], {}, journal)))).toBe(
      '4 credits used of at most 1,000: 1 answer reports a cost, the dearest 4. The run itself counted 5.',
    )
  })

  it('show how many deliveries came at once, and how those went that did not', () => {
    expect(said(deliveryAttempts(busy('main', 6)))).toBe(
      '2 deliveries came in, 0 taken at the first attempt. Of 2 that were not, or came again, 0 ended with a 2xx; at most 4 attempts, 30 ms to 30 ms apart.',
    )
  })

  it('show the course of a stream', () => {
    expect(said(streamTimeline(streamed('t', 2)))).toBe(
      'Headers after 1 ms; 2 reads with 42 bytes and 2 events (1 t0 and 1 t1); the longest silence 51 ms; cut off after 100 ms.',
    )
  })
})
