/** What a target sent stays text in every block of every renderer: no element, no sign that deceives, and bounded. */
import { describe, expect, test } from 'vitest'
import { exchange, finding, runOf } from '../testing/run.testkit.ts'
import { elements } from '../testing/page.testkit.ts'
import type { Block, Words } from './blocks.ts'
import { htmlOf } from './html.ts'
import { markdownOf, mostMarkdownBytes } from './markdown.ts'
import { sectionsAsText } from './text.ts'

/** A report with every block and piece. What we or the owner of a target name is never long. */
function reportOf(text: string) {
  const named = text.slice(0, 300)
  const bytes = new TextEncoder().encode(text)
  const headers = [[text, text]] as const
  const request = { method: 'POST', path: text, headers, body: bytes, principal: named }
  const came = { status: 200, headers, at: 1, chunks: [{ at: 2, bytes }], complete: false }
  const journal = [
    exchange(1, { name: named, request, response: came, failure: { kind: 'reset', message: text } }),
    exchange(2, { request, response: null, failure: { kind: 'timeout', message: text } }),
    exchange(3, { request, inbound: { place: named, targetAt: 0 } }),
  ]
  const failed = finding({ verdict: 'fail', expected: text, got: text, check: named, evidence: [1, 2] })
  const run = runOf([failed], {}, journal)
  const words: Words = [
    text,
    { code: text },
    { strong: text },
    { soft: text },
    { sign: '✗', says: text, tone: 'bad' },
    { to: text, says: text },
    { lines: [text, text] },
  ]
  const inner: readonly Block[] = [
    { words },
    { fields: [[named, words]], tone: 'bad' },
    { items: [words, `${text}: ${text}`] },
    { table: [{ cells: [words, words] }], columns: [named, named], caption: named },
    { table: [{ cells: [words, 0] }], columns: [named, named], caption: named, numbers: true },
    { code: [text], language: 'yaml' },
    { fold: words, blocks: [{ words }] },
    { evidence: failed, run },
    { exchanges: journal },
    {
      filters: [
        { name: named, label: named, value: named },
        { name: named, label: named, options: [[named, named]] },
      ],
    },
  ]
  const head: readonly Block[] = [
    { banner: named, says: words },
    { answers: [{ question: 'Answer', sign: '✗', word: named, tone: 'bad', detail: words, blocks: inner }] },
    { tiles: [{ name: named, at: 'one', value: words, detail: words }] },
    { cards: [{ title: words, blocks: inner, short: words }] },
  ]
  const section = { id: 'one', title: words, blocks: head }
  const appendix = [{ id: 'two', title: words, blocks: [], sections: [{ ...section, id: 'three' }] }]
  return { title: named, eyebrow: words, heading: words, head, sections: [section], appendix, foot: words }
}

const wide = { colour: false, width: 80, full: 'report.html' }
const renderers = {
  text: (text: string) => sectionsAsText(reportOf(text), wide),
  markdown: (text: string) => markdownOf(reportOf(text), 'report.html'),
  html: (text: string) => htmlOf(reportOf(text)),
}

const deceptive =
  // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]|\p{Surrogate}|\u{e0041}/u
const signs = `a\u0000b\u001b[2J\u001b]0;x\u0007\u202egnp\u2066\u200f\ud800a\udc00\rb\u2028c\u2029d\u0085e\u{e0041}\ufeff`

test.for(Object.entries(renderers))(
  '%s has no sign that moves a cursor, turns or hides text',
  ([, render]) => {
    expect(render(signs)).not.toMatch(deceptive)
  },
)

test.for(Object.entries(renderers))('%s cuts a line of 100,000 characters wherever it is', ([, render]) => {
  expect(render('x'.repeat(100_000)).length).toBeLessThan(2_000_000)
})

test('a terminal names the page instead of a curl line that fills the screen', () => {
  expect(renderers.text('x')).toMatch(/^  curl +curl .*x/m)
  expect(renderers.text('x'.repeat(1_300))).toMatch(/^  curl +\d+ characters: see report\.html$/m)
})

describe('a page', () => {
  const plain = elements(renderers.html('plain'))

  test.for([
    `</pre></style></title><script>alert(1)</script>`,
    `<img src=x onerror=alert(1)><svg/onload=alert(1)>`,
    `" autofocus onfocus="alert(1)' onfocus='alert(1)`,
    `<!-- --!> <![CDATA[ ]]> <?xml ?>`,
    `javascript:alert(1)`,
    `&lt;b&gt; &#60;script&#62; &nbsp`,
  ])('has no element more for %s, and no address that runs', (text) => {
    const page = renderers.html(text)
    expect(plain).not.toBeNull()
    expect(elements(page)).toEqual(plain)
    expect(page).not.toMatch(/href="(?!#)/)
  })

  test('leads to addresses of the web alone', () => {
    expect(renderers.html('https://a.example/"><script>')).toContain('href="https://a.example/&quot;&gt;&lt;')
  })
})

/** Without code spans and fenced blocks, in which nothing is read as markup. */
const outsideCode = (text: string): string =>
  text.replaceAll(/^( *)(`{3,})[^`\n]*\n[^]*?^\1\2$/gm, '').replaceAll(/(`+)(?!`)[^]*?(?<!`)\1(?!`)/g, '')

describe('Markdown', () => {
  test.for([
    '@torvalds and cc @org/team',
    'see #12, org/repo#12, !34, GH-12, &56, $78, %9 and ~label',
    'https://evil.example, www.evil.example or me@evil.example',
    'commit 0123456789abcdef0123456789abcdef01234567',
    '[x](http://evil.example) ![y](z) <img src=x> &lt;b&gt;',
    '# title\n## another\n- item\n> said\n| a | b |\n***\n~~~\n---',
    'one ` two `` three ``` @four #5 `@six` ``@seven`` `',
    '``` @eight\n```\n@nine',
    '`@ten`@eleven`#12',
    '1. @one\n- #2',
  ])('notifies nobody and leads nowhere for %j', (text) => {
    const rest = outsideCode(renderers.markdown(text))
    expect(rest).not.toMatch(/@|#\d|!\d|[&$%]\d|~|:\/\/|www\.|\[|<|GH-|[\da-f]{7}|evil/)
    expect(rest.match(/^#+ /gm)).toEqual(renderers.markdown('plain').match(/^#+ /gm))
  })

  test('leaves plain words and names between backticks as they are', () => {
    const words = 'Expected status 200 (not 409): header `X-Id: 1`, 35 % of it.'
    expect(markdownOf({ heading: words, head: [], sections: [] }, '')).toBe(`## ${words}\n`)
  })

  test('is cut between lines before its limit, and says where the rest is', () => {
    const items = Array.from({ length: 2_000 }, (_, at) => `${at} ${'é|<'.repeat(200)}`)
    const report = { heading: 'x', head: [{ items, most: 2_000 }], sections: [] }
    const text = markdownOf(report, 'report.html')
    expect(Buffer.byteLength(text)).toBeLessThan(mostMarkdownBytes + 100)
    expect(text).toMatch(/\n\n… \d+ more lines: see report\.html\n$/)
  })
})

describe('a terminal', () => {
  test('lists the first of many, and says how many there are', () => {
    const cards = Array.from({ length: 300 }, (_, at) => ({ title: `${at}`, blocks: [] }))
    const text = sectionsAsText({ head: [{ cards }], sections: [] }, wide)
    expect(text).toContain('and 280 more: see report.html')
    expect(text.split('\n').length).toBeLessThan(80)
  })
})
