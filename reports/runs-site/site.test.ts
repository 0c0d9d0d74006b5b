/** What the pages say of made-up runs: which version decides, and what is to be known of a run beside its result. */
import { expect, test } from 'vitest'
import { clauseIds, type ClauseId } from '../../spec/index.ts'
import type { RunEntry } from './entry.ts'
import { pagesOf } from './pages/index.ts'
import { runPage } from './pages/run.ts'
import { siteOf } from './site.ts'

const clause: ClauseId = 'IDEM-REPLAY-HEADER'
const other: ClauseId = 'IDEM-REPLAY-STATUS'
const statesOf = (states: Partial<Record<ClauseId, string>>): string =>
  clauseIds.map((id) => states[id] ?? 'p').join('')

let runs = 0
const entryOf = (version: string, endedAt: string, more: Partial<RunEntry> = {}): RunEntry => {
  const id = String(++runs).padStart(64, '0')
  const states = more.states ?? statesOf({})
  return {
    place: id,
    digest: id,
    manifests: [],
    signedBy: null,
    inPart: null,
    id,
    startedAt: endedAt,
    endedAt,
    lifecycle: 'finished',
    target: { name: 'acme', kind: 'staging', baseUrl: 'https://staging.example' },
    version,
    contract: { revision: '2026-11', digest: 'a'.repeat(64), base: null },
    otherAnswers: [],
    tool: 'touchstone 1.0.0',
    conformance: states.includes('f') || states.includes('v') ? 'nonconformant' : 'conformant',
    gatePassed: !states.includes('f'),
    narrowed: null,
    series: 'all',
    used: { requests: 1, turns: 1, credits: 1, wallSeconds: 1 },
    states,
    waived: [],
    ...more,
  }
}

const pagesFor = (...entries: readonly RunEntry[]) => {
  const sides = {
    notCounted: [],
    keys: [],
    rejudged: false,
    log: null,
    builtAt: '2026-09-09T00:00:00Z',
    url: null,
  }
  const site = siteOf(entries, sides)
  const pages = new Map(pagesOf(site))
  const found = [...pages.keys()].find((file) => file.startsWith('targets/')) ?? ''
  const text = (markup: string): string =>
    markup
      .replace(/<head>.*?<\/head>|<script>.*?<\/script>/gs, '')
      .replaceAll(/<[^>]+>/g, ' ')
      .replaceAll(/\s+/g, ' ')
  const markup = (file: string): string => pages.get(file) ?? ''
  const page = (index: number): string => {
    const [target] = site.targets
    const entry = entries[index]
    return target === undefined || entry === undefined ? '' : text(runPage(site, target, entry, null)[1])
  }
  return { markup, page, words: (file: string) => text(markup(file)), target: text(markup(found)) }
}

const waiver = {
  as: 'known-failure',
  owner: 'Chat team',
  reason: 'is being fixed',
  expires: '2027-06-30',
} as const
const fails = { states: statesOf({ [clause]: 'v' }), waived: [{ check: 'a/b/c', subject: clause, waiver }] }

test('the cost of a single run is one sentence, and of several their course', () => {
  const used = { requests: 900, turns: 1, credits: 12, wallSeconds: 32 }
  const one = entryOf('1.1', '2026-09-01T09:00:00Z', { used })
  expect(pagesFor(one).target).toContain('The only run took 32 s, 900 requests, 1 turn and 12 credits.')
  expect(pagesFor(one).target).not.toContain('of each run')
  const two = pagesFor(one, entryOf('1.2', '2026-09-02T09:00:00Z', { used }))
  expect(two.target).toContain('From 32 s to 32 s a run, 1 min 4 s in 2 runs; 32 s in the newest.')
})

test('the failures of a single run are one number', () => {
  const one = entryOf('1.1', '2026-09-01T09:00:00Z', fails)
  expect(pagesFor(one).words('index.html')).toContain('1 MUST clause failed in the only run.')
})

test('a later run of an older version hides no failure and no waiver of the newer one', () => {
  const { words, target } = pagesFor(
    entryOf('1.1', '2026-09-01T09:00:00Z'),
    entryOf('1.2', '2026-09-02T09:00:00Z', fails),
    entryOf('1.1', '2026-09-03T09:00:00Z'),
  )
  expect(words('index.html')).toMatch(/1\.2 ✗ nonconformant .*? 1 1\.2 , 2026-09-02/)
  expect(words('index.html')).toContain('waivers that stand 1')
  expect(words('index.html')).toContain('0 MUST clauses failed in the first run, 1 in the newest')
  expect(target).toContain(`${clause} must 1.2 , 2026-09-02 1.1 , 2026-09-03 yes`)
  expect(words('waivers.html')).toContain('acme (staging) 1.2 , 2026-09-02 0 days, 1 run Chat team')
  expect(words('waivers.html')).not.toContain('Waivers that ended')
  expect(words(`clauses/${clause}.html`)).toContain(
    'First bad version: 1.2 , 2026-09-02; last good version 1.1',
  )
})

test('a waiver has stood from its earliest run to its latest, whatever their versions are', () => {
  const { words } = pagesFor(
    entryOf('1.1', '2026-09-01T09:00:00Z'),
    entryOf('1.2', '2026-09-02T09:00:00Z', fails),
    entryOf('1.1', '2026-09-05T09:00:00Z', fails),
  )
  expect(words('waivers.html')).toContain('1.1 , 2026-09-05 3 days, 2 runs')
})

test('a selection that passes does not undo the failure of a whole run of its version', () => {
  const selection = { narrowed: 'selection', series: 'one' } as const
  const { words, target } = pagesFor(
    entryOf('1.1', '2026-09-01T09:00:00Z'),
    entryOf('1.2', '2026-09-02T09:00:00Z', { states: statesOf({ [clause]: 'f' }) }),
    entryOf('1.2', '2026-09-03T09:00:00Z', selection),
  )
  expect(words('index.html')).toMatch(/1\.2 ✗ nonconformant .*? 1 1\.2 , 2026-09-02/)
  expect(target).toContain(`${clause} must 1.2 , 2026-09-02 1.1 , 2026-09-01 no`)
})

const draft = { contract: { revision: '2026-12', digest: 'b'.repeat(64), base: '2026-11' } }

test('the first bad version is that of the failures in the row', () => {
  const { words } = pagesFor(
    entryOf('1.0', '2026-09-01T09:00:00Z', { states: statesOf({ [other]: 'w' }) }),
    entryOf('2.0', '2026-09-02T09:00:00Z', draft),
    entryOf('3.0', '2026-09-03T09:00:00Z', { states: statesOf({ [clause]: 'f', [other]: 'w' }) }),
  )
  expect(words('index.html')).toMatch(
    /2026-12 \(bbbbbbbb, from a file that changes 2026-11\) 2\.0 ✓ conformant [^)]*? 0 none /,
  )
  expect(words('index.html')).toMatch(
    /2026-11 \(aaaaaaaa\) 3\.0 ✗ nonconformant ✗ failed 1 3\.0 , 2026-09-03/,
  )
})

test('a clause set from a file is called one, and what a run states beside it is not left out', () => {
  const under = { ...entryOf('', ''), conformance: 'nonconformant', gatePassed: false } as const
  const { words, target, page } = pagesFor(
    entryOf('1.0', '2026-09-01T09:00:00Z'),
    entryOf('1.1', '2026-09-02T09:00:00Z', { ...draft, otherAnswers: [under] }),
  )
  const label = '2026-12 (bbbbbbbb, from a file that changes 2026-11)'
  expect(target).toContain(
    `1.1 ✗ nonconformant (beside 2026-12) , gate failed ✓ conformant , gate passed 1 run`,
  )
  expect(target).toContain('1.0 ✓ conformant , gate passed not judged by it 1 run')
  expect(target).toContain(`2026-09-02 09:00:00 UTC 1.1 ${label}`)
  expect(words('search.html')).toContain(`Version 1.1 of acme: ✓ conformant , 2026-09-02, ${label}`)
  expect(page(1)).toContain('clause set 2026-12, from a file that changes 2026-11, SHA-256')
})

test('a pass by a selection is no green pass', () => {
  const { markup, words } = pagesFor(entryOf('1.0', '2026-09-01T09:00:00Z', { narrowed: 'selection' }))
  expect(words('index.html')).toContain('– passed by a selection only')
  expect(markup('index.html')).not.toMatch(/class="verdict good"[^>]*>(?:<[^>]+>)?✓(?:<[^>]+>)? passed/)
})

test('a target without a name has links and a heading', () => {
  const target = { name: ' ', kind: 'staging', baseUrl: 'https://staging.example' } as const
  const { markup, target: page } = pagesFor(entryOf('1.0', '2026-09-01T09:00:00Z', { target }))
  expect(page).toContain('(no name) staging, 1 run')
  expect(markup('index.html')).toMatch(/<a href="targets\/[\w-]+\.html">\(no name\)<\/a>/)
})

test('names in the text of a clause are marked up in the search, too', () => {
  expect(pagesFor(entryOf('1.0', '2026-09-01T09:00:00Z')).words('search.html')).not.toContain('`')
})
