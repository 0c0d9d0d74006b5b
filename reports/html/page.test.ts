import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { everyVerdict, exchange, finding, runOf } from '../run.double.ts'
import { htmlPage } from './page.ts'

const render = (...input: Parameters<typeof runOf>): string => String(htmlPage.render(runOf(...input)))

/** Names of the elements of a page, in order; null where one is closed out of order or not at all. */
function elements(page: string): string[] | null {
  const empty = new Set(['meta', 'br', '!doctype'])
  const open: string[] = []
  const seen: string[] = []
  for (const [, slash, name = ''] of page.matchAll(/<(\/?)([a-z!][a-z0-9]*)[^>]*>/gi)) {
    if (slash && open.pop() !== name) return null
    if (slash) continue
    seen.push(name)
    if (!empty.has(name)) open.push(name)
  }
  return open.length === 0 ? seen : null
}

// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const hidden = /[\u0000-\u0009\u000b-\u001f\u202e]/

describe('report.html', () => {
  it('closes every element it opens and has every planned clause once in its matrix', () => {
    const page = render(everyVerdict())

    expect(elements(page)?.filter((name) => name === 'article')).toHaveLength(4)
    expect(page.match(/<th scope="row"><code>IDEM-REPLAY-HEADER<\/code>/g)).toHaveLength(1)
    expect(page).toContain('not covered: no scenario yet')
  })

  it('loads nothing: no script, no address that a browser would fetch, and a policy that forbids both', () => {
    const page = render(everyVerdict())
    const style = /<style>([^]*?)<\/style>/.exec(page)?.[1] ?? ''
    const digest = createHash('sha256').update(style).digest('base64')

    expect(page).toContain(`default-src &#39;none&#39;; style-src &#39;sha256-${digest}&#39;;`)
    expect(page).not.toMatch(
      /<(script|link|img|iframe|object|base|form)|\s(src|href|style|on\w+)=|url\(|@import/i,
    )
  })

  it('shows hostile bytes as text', () => {
    const hostile = `</pre></style><script>alert(1)</script><img src=x onerror=alert(1)>"'&\u0000\u001b\u202e`
    const run = [
      [finding({ verdict: 'fail', expected: hostile, got: hostile, detail: hostile })],
      { target: { name: hostile, kind: 'staging', baseUrl: hostile } },
      [exchange(1, { name: hostile, sent: hostile, came: hostile })],
    ] as const

    const plain = elements(render([finding({ verdict: 'fail', expected: 'e', got: 'g', detail: 'd' })]))
    expect(plain).not.toBeNull()
    expect(elements(render(...run))).toEqual(plain)
    expect(render(...run)).not.toMatch(hidden)
  })

  it('says how to tell a failure again only where there is a counterexample of it', () => {
    const run = runOf([finding({ verdict: 'fail', check: 'chat/one/RES-JSON' })])
    const files = new Set(['counterexamples/chat-one-RES-JSON/scenario.json'])

    expect(htmlPage.render(run, { files })).toContain(`touchstone replay ${[...files].join('')} `)
    expect(htmlPage.render(run)).not.toContain('touchstone replay')
  })

  it('never shows credentials', () => {
    expect(render(everyVerdict())).not.toContain('sk-very-secret')
  })

  it('cuts long bodies and shows a stream line by line', () => {
    const stream = 'data: {"type":"token","token":"Hi"}\n\ndata: {"type":"done"}\n\n'
    const long = exchange(1, { sent: 'x'.repeat(100_000), came: stream })
    const page = render([finding({ verdict: 'fail' })], {}, [long])

    expect(page.length).toBeLessThan(30_000)
    expect(page).toContain('\ndata: {&quot;type&quot;:&quot;done&quot;}\n')
  })

  it('says of a simulator that it proves nothing about the live service', () => {
    const target = { name: 'simulator', kind: 'simulator', baseUrl: 'http://127.0.0.1:1' } as const

    expect(render(everyVerdict(), { target })).toContain('class="banner"')
    expect(render(everyVerdict())).not.toContain('class="banner"')
  })

  it('tells what is broken before it counts, and folds away the checks that a gate names', () => {
    const gate = {
      passed: false,
      because: ['2 musts failed: idempotency/a/X, idempotency/b/Y'],
      stalePolicy: [],
    }
    const page = render(everyVerdict(), { gate })

    expect(page.indexOf('id="failures"')).toBeLessThan(page.indexOf('id="counts"'))
    expect(page).toMatch(/<summary>2 musts failed<\/summary>\s*<p>idempotency\/a\/X, idempotency\/b\/Y<\/p>/)
  })

  it('stays small with 800 checks', () => {
    const many = Array.from({ length: 800 }, (_, index) => finding({ check: `idempotency/s${index}/X` }))

    expect(render(many).length).toBeLessThan(500_000)
  })
})
