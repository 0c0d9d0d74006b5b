import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { everyVerdict, exchange, finding, runOf } from '../testing/run.testkit.ts'
import { htmlPage } from './page.ts'
import { elements } from './page.testkit.ts'

const render = (...input: Parameters<typeof runOf>): string => String(htmlPage.render(runOf(...input)))
const simulator = { name: 'simulator', kind: 'simulator', baseUrl: 'http://127.0.0.1:1' } as const

describe('report.html', () => {
  it('closes every element it opens and has every clause that was asked for once', () => {
    const page = render(everyVerdict())

    expect(elements(page)?.filter((name) => name === 'article')).toHaveLength(4)
    expect(page.match(/<tr [^>]*id="IDEM-REPLAY-HEADER">/g)).toHaveLength(1)
    expect(page).toContain('untestable</span>: no scenario yet')
  })

  it('loads nothing: no script, no address that a browser would fetch, and a policy that forbids both', () => {
    const page = render(everyVerdict(), { target: simulator })
    const style = /<style>([^]*?)<\/style>/.exec(page)?.[1] ?? ''
    const digest = createHash('sha256').update(style).digest('base64')

    expect(page).toContain(`default-src &#39;none&#39;; style-src &#39;sha256-${digest}&#39;;`)
    expect(page).not.toMatch(
      /<(script|link|img|iframe|object|base|form|use|image)\b|\s(src|style|on\w+)=|url\(|@import/i,
    )
    // Addresses lead to places in the page alone.
    expect(page).not.toMatch(/href="(?!#)/)
  })

  it('leads nowhere that is not there, and names no place twice', () => {
    const page = render([
      ...everyVerdict(),
      finding({ verdict: 'fail', subject: 'OLD-SEND', area: 'older-variant', provisional: true }),
    ])
    const ids = [...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)
    const led = [...page.matchAll(/ href="#([^"]*)"/g)].map(([, id]) => id)

    expect(ids).toEqual([...new Set(ids)])
    expect(led.filter((id) => !ids.includes(id))).toEqual([])
  })

  it('shows a stream line by line, and cuts a long body', () => {
    const stream = 'data: {"type":"token","token":"Hi"}\n\ndata: {"type":"done"}\n\n'
    const long = exchange(1, { sent: 'x'.repeat(100_000), came: stream })
    const page = render([finding({ verdict: 'fail' })], {}, [long])

    expect(page).toContain('\ndata: {&quot;type&quot;:&quot;done&quot;}\n')
    expect(page).toContain('… (96000 more characters)')
    expect(page).not.toContain('x'.repeat(4_001))
  })

  it('says how to replay a failure only where there is a counterexample of it', () => {
    const run = runOf([finding({ verdict: 'fail', check: 'chat/one/RES-JSON' })])
    const files = new Set(['counterexamples/chat-one-RES-JSON/replay.json'])

    expect(htmlPage.render(run, { files })).toContain(`touchstone replay ${[...files].join('')} `)
    expect(htmlPage.render(run)).not.toContain('touchstone replay')
    expect(htmlPage.render(run)).toContain(
      'touchstone check TARGET.yaml --only &#39;chat/one/RES-JSON&#39; --seed 42',
    )
  })

  it('marks the exchange that shows a failure, and has each in full once', () => {
    const broken = finding({ verdict: 'fail', evidence: [2, 1] })
    const page = render([broken, finding({ verdict: 'pass', evidence: [1, 2] })], {}, [
      exchange(1),
      exchange(2),
    ])

    expect(page.match(/← evidence/g)).toHaveLength(1)
    expect(page.match(/<details id="exchange-\d"/g)).toEqual([
      '<details id="exchange-1"',
      '<details id="exchange-2"',
    ])
    expect(page).toContain('<a href="#exchange-2">2</a>')
  })

  it('never shows credentials, and shows by their tokens where the same were sent twice', () => {
    expect(render(everyVerdict())).not.toContain('sk-very-secret')
    const { request, ...rest } = exchange(1)
    const sent = [['Authorization', 'Bearer [[key:main:1a2b3c4d]] and more']] as const
    const page = render(everyVerdict(), {}, [{ ...rest, request: { ...request, headers: sent } }])
    expect(page).toContain('Authorization: [[key:main:1a2b3c4d]]\n')
  })

  it('lists failures before the counts, and folds away the checks that a gate names', () => {
    const because = ['2 MUST clauses failed: idempotency/a/X, idempotency/b/Y']
    const page = render(everyVerdict(), { gate: { passed: false, because, stalePolicy: [] } })

    expect(page.indexOf('id="failures"')).toBeLessThan(page.indexOf('id="counts"'))
    expect(page).toMatch(
      /<summary>2 MUST clauses failed<\/summary>\s*<p>idempotency\/a\/X, idempotency\/b\/Y<\/p>/,
    )
  })
})
