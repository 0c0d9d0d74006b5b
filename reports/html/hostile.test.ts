/** Whatever a target, or a policy file, holds stays text: no element more, no sign that deceives, and bounded. */
import { expect, test } from 'vitest'
import { everyVerdict, exchange, finding, runOf } from '../testing/run.testkit.ts'
import { elements } from './page.testkit.ts'
import { htmlPage } from './page.ts'

const hostile: Readonly<Record<string, string>> = {
  'a script': `</pre></style></title><script>alert(1)</script>`,
  'an element with a handler': `<img src=x onerror=alert(1)><svg/onload=alert(1)>`,
  'the end of an attribute': `" autofocus onfocus="alert(1)' onfocus='alert(1)`,
  'a comment and a section': `<!-- --!> <![CDATA[ ]]> <?xml ?>`,
  'an address that runs': `javascript:alert(1)`,
  'an address that hides as one': `https://a.example/"><script>alert(1)</script>`,
  'entities, written out': `&lt;b&gt; &#60;script&#62; &nbsp`,
  'a zero byte': `a\u0000b`,
  'an escape sequence': `\u001b[2J\u001b]0;x\u0007`,
  'changes of direction': `\u202egnp.exe\u2066\u200f`,
  'halves of characters': `\ud800a\udc00`,
  'other line ends': `a\rb\u2028c\u2029d\u0085e`,
  'tags without a sign': `a\u{e0041}b\ufeff`,
}

const deceptive =
  // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]|\p{Surrogate}|\u{e0041}/u

/** A run in which every place that a target fills holds one text, and every place that its owner fills another. */
function pageWith(text: string, owned = text): string {
  const said = { expected: text, got: text, detail: text }
  const waived = { as: 'flaky', owner: owned, reason: owned, issue: owned, expires: '2026-12-01' } as const
  const rows = everyVerdict().map((row) => ({ ...row, ...said, evidence: [1, 2, 3] }))
  const headers = [
    [text, text],
    ['content-type', text],
  ] as const
  const body = new TextEncoder().encode(text)
  const request = { method: owned, path: text, headers, body, principal: owned }
  const came = { status: 200, headers, at: 1, chunks: [{ at: 2, bytes: body }], complete: false }
  const run = runOf(
    [...rows, finding({ ...said, verdict: 'fail', check: `x/${owned}`, waived })],
    {
      target: {
        name: owned,
        kind: 'staging',
        baseUrl: owned,
        organization: owned,
        version: owned,
        url: owned,
        contact: [owned],
      },
      gate: { passed: false, because: [owned, `a: ${owned}/b`], stalePolicy: [owned] },
      redaction: { counts: { [owned]: 1 }, disclosed: false },
    },
    [
      exchange(1, { name: owned, request, response: came, failure: { kind: 'reset', message: text } }),
      exchange(2, { request, response: null, failure: { kind: 'timeout', message: text } }),
      exchange(3, { request, inbound: { place: owned, targetAt: 0 } }),
    ],
  )
  return String(htmlPage.render(run, { files: new Set(), ends: text }))
}

const plain = elements(pageWith('plain'))

test.for(Object.entries(hostile))('%s stays text', ([, text]) => {
  const page = pageWith(text)
  const links = (name: string): boolean => name !== 'a'

  expect(plain).not.toBeNull()
  expect(elements(page)?.filter(links)).toEqual(plain?.filter(links))
  expect(page).not.toMatch(deceptive)
  expect(page).not.toMatch(/href="(?!#|https:\/\/a\.example\/&quot;&gt;)/)
})

test('a line of 50,000 characters is cut wherever it stands', () => {
  expect(pageWith('x'.repeat(50_000), 'plain').length).toBeLessThan(200_000)
})
