/** A site of many runs: what it says, and what nobody can make it say. */
import { execFileSync, spawnSync } from 'node:child_process'
import { createPrivateKey, createPublicKey } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { run } from '../../cli/process.testkit.ts'
import { sha256 } from '../../reports/bundle/seal/digest.ts'
import { keyIdOf, signerOf } from '../../reports/bundle/seal/envelope.ts'
import { digit, end, linesOf, start, type Content } from '../../reports/run-log/log.testkit.ts'
import { filesBelow } from '../../reports/bundle/seal/walk.ts'
import { failed } from '../bundle/alterations.ts'
import { publicHalf } from '../bundle/sealed-run.ts'
import { runsFolder, type BuiltSite, type RunsFolder } from './folder.ts'
import { forgeries } from './forgeries.ts'
import { fails, hostile, passes, year } from './honest-runs.ts'

let made: RunsFolder
let honest: string
beforeAll(async () => {
  made = await runsFolder()
  honest = made.withRuns(passes, fails)
})
afterAll(() => made.remove())

/** Text of a page as a reader has it, in one line. */
const words = (markup: string): string =>
  markup
    .replace(/<head>.*?<\/head>|<script>.*?<\/script>/gs, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')

/** Every page but the list of what was not counted, without what is said of it and the time of building. */
function answers({ files, page }: BuiltSite): Readonly<Record<string, string>> {
  const counted = files.filter((file) => file !== 'not-counted.html')
  return Object.fromEntries(
    counted.map((file) => [
      file,
      page(file)
        .replace(/<footer.*?<\/footer>/s, '')
        .replace(/<dt>not counted<\/dt><dd class="verdict">.*?<\/dd>/s, ''),
    ]),
  )
}

describe('alters no answer unnoticed:', () => {
  const alone = new Map<string, Promise<BuiltSite>>()
  const siteOf = (count: readonly string[]): Promise<BuiltSite> => {
    const key = count.join()
    const runs = [passes, fails].filter(({ version }) => count.includes(version))
    const known = alone.get(key) ?? made.site(made.withRuns(...runs))
    alone.set(key, known)
    return known
  }

  test.for(Object.entries(forgeries))('%s', async ([, { act, listed, count }]) => {
    const place = made.place(honest)
    act(place)
    const { code, out, ...built } = await made.site(place.runs)

    expect({ code, out: out.split(' ')[0] }).toEqual({ code: 0, out: String(count.length) })
    expect(built.err).toContain(`${Object.keys(listed).length} bundle`)
    const rows = words(built.page('not-counted.html'))
    for (const [bundle, why] of Object.entries(listed)) {
      expect(rows).toContain(` ${bundle} `)
      expect(rows).toMatch(why)
    }
    expect(answers({ code, out, ...built })).toEqual(answers(await siteOf(count)))
  })
})

test('a run that nobody signed counts if no key is given, and every page says what that means', async () => {
  const place = made.place(honest)
  forgeries['an unsigned run was added']?.act(place)
  const { out, files, page } = await made.site(place.runs, '--json')

  expect(JSON.parse(out)).toMatchObject({ counted: 3, keys: [], notCounted: [] })
  for (const file of files.filter((one) => one.endsWith('.html')))
    expect(words(page(file)), file).toContain('Signatures were not checked. No key was given')
})

test('with --rejudge a verdict that the journal does not give counts for nothing', async () => {
  const key = ['--key', publicHalf(made.keys.own)]
  const { out, err, page } = await made.site(honest, ...key, '--rejudge')
  expect({ out: out.split(' ')[0], err: err.split(' ')[0] }).toEqual({ out: '1', err: '1' })
  expect(words(page('not-counted.html'))).toContain(
    `${failed}: is stated as pass, and the journal gives fail`,
  )
})

test('a run that was judged again by a clause set from a file counts in both, each in its column', async () => {
  const runs = made.withRuns(passes)
  const draft = join(made.root, 'next.yaml')
  writeFileSync(
    draft,
    'name: 2026-12-draft.1\nbase: 2026-11\nchange:\n  IDEM-REPLAY-HEADER: { level: should }\n',
  )
  await run(['rejudge', join(runs, '1.0'), '--clause-set', draft, '--out', join(runs, 'again')])
  const { out, page, files } = await made.site(runs, '--json')

  expect(JSON.parse(out)).toMatchObject({ counted: 2, notCounted: [] })
  const text = words(page(files.find((one) => one.startsWith('targets/')) ?? ''))
  expect(text).toMatch(
    /2026-11 \(\w{8}\) 2026-12-draft\.1 \(\w{8}, from a file that changes 2026-11\) runs that/,
  )
  expect(text).not.toContain('not judged by it')
})

describe('over a year', () => {
  let built: BuiltSite
  let file: string
  beforeAll(async () => {
    built = await made.site(made.withRuns(...year))
    file = built.files.find((one) => one.startsWith('targets/')) ?? ''
  })

  test('a clause has its first bad version and its last good one', () => {
    const clause = words(built.page('clauses/IDEM-REPLAY-HEADER.html'))
    expect(clause).toContain(
      'First bad version: 1.1 , 2026-08-01; last good version 1.0 . The failure is waived.',
    )
    expect(words(built.page(file))).toContain('IDEM-REPLAY-HEADER must 1.1 , 2026-08-01 1.0 , 2026-07-01 yes')
  })

  test('a waiver stands since its first run', () => {
    expect(words(built.page('waivers.html'))).toMatch(
      /IDEM-REPLAY-HEADER \S+ acme \(staging\) 1\.2 , 2026-09-01 30 days, 2 runs Chat team 2027-06-30, /,
    )
  })

  test('versions stand beside clause sets, newest first, with what decided', () => {
    const rows = [...words(built.page(file)).matchAll(/(1\.\d) (✓|–|✗) (\w+) (?:, 1 MUST clause)?/g)]
    expect(rows.map(([, version, , word]) => `${version} ${word}`)).toEqual([
      '1.3 nonconformant',
      '1.2 nonconformant',
      '1.1 nonconformant',
      '1.0 partial',
    ])
  })

  test('a run shows what changed since the one before it', () => {
    const pages = built.files.filter((one) => one.startsWith('runs/')).map((one) => words(built.page(one)))
    const [second] = pages.filter((one) => one.includes(' acme 1.1 Run of'))
    expect(second).toContain('✗ something got worse 1 regressed')
    expect(pages.filter((one) => one.includes('There is no earlier run'))).toHaveLength(1)
  })

  test('every link leads to a page', () => {
    const files = new Set(built.files)
    const dead = built.files.flatMap((from) =>
      from.endsWith('.html')
        ? [...built.page(from).matchAll(/href="([^"#]+)/g)]
            .map(([, to = '']) => new URL(to, `https://site.example/${from}`))
            .filter((to) => to.host === 'site.example' && !files.has(to.pathname.slice(1)))
            .map((to) => `${from}: ${to.pathname}`)
        : [],
    )
    expect(dead).toEqual([])
  })

  test('an earlier site is replaced, and a folder with other files is refused', async () => {
    const key = ['--key', publicHalf(made.keys.own)]
    const earlier = await made.site(honest)
    const { code, out } = await made.site(made.withRuns(passes), ...key, '--out', earlier.path)
    expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/^1 run of 1 target/) as string })
    expect(filesBelow(earlier.path).filter(({ path }) => path.startsWith('runs/'))).toHaveLength(1)

    const refused = await made.site(honest, ...key, '--out', made.root)
    expect(refused.code).toBe(2)
    expect(refused.err).toContain('it has other files, such as')

    const within = await made.site(honest, ...key, '--out', join(honest, 'site'))
    expect(within.err).toContain('which is searched for runs; name another folder')
  })
})

describe('with a log of runs', () => {
  const own = () => {
    const privateKey = createPrivateKey(readFileSync(made.keys.own))
    const publicKey = createPublicKey(privateKey)
    return { publicKey, signer: signerOf(keyIdOf(publicKey), privateKey) }
  }
  const withLog = async (change: (lines: readonly string[]) => readonly string[]): Promise<BuiltSite> => {
    const manifest = sha256(readFileSync(join(honest, '1.1', 'manifest.json')))
    const all: readonly Content[] = [
      ['a', start('1.1')],
      ['a', end('nonconformant', digit('1'))],
      ['b', start('1.1')],
      ['b', end('nonconformant', manifest)],
      ['c', start('0.9')],
    ]
    const log = join(made.root, 'log.ndjson')
    writeFileSync(
      log,
      change(linesOf(all, own()))
        .map((line) => `${line}\n`)
        .join(''),
    )
    return made.site(honest, '--key', publicHalf(made.keys.own), '--log', log)
  }
  const target = ({ files, page }: BuiltSite): string =>
    words(page(files.find((one) => one.startsWith('targets/')) ?? ''))

  test('a version has the number of runs that are missing, and one of which none counts is named', async () => {
    const text = target(await withLog((lines) => lines))
    expect(text).toContain('gate failed 1 run 2 runs, 1 missing 2026-08-01')
    expect(text).toMatch(/gate \w+ 1 run not in the log 2026-07-01/)
    expect(text).toContain('In the log, without a run that counts: 0.9: 1 run, 1 missing')
  })

  test('one without a line counts for nothing', async () => {
    const built = await withLog((lines) => lines.toSpliced(1, 1))
    expect(target(built)).not.toContain('in the log')
    expect(words(built.page('not-counted.html'))).toContain('log.ndjson a log of runs that is not verified')
  })
})

describe('hostile names', () => {
  let built: BuiltSite
  beforeAll(async () => {
    const runs = made.withRuns(hostile, passes)
    const key = ['--key', publicHalf(made.keys.own)]
    built = await made.site(runs, ...key, '--url', 'https://site.example/runs')
  })

  test('stay text, in files with names of ours', () => {
    expect(built.out).toMatch(/^2 runs of 2 targets/)
    for (const file of built.files) {
      expect(file).toMatch(/^[\w./-]+$/)
      const scripts = file.endsWith('.json') ? [] : (built.page(file).match(/<script>/g) ?? [])
      expect(scripts, file).toHaveLength(file === 'search.html' ? 1 : 0)
    }
  })

  test('leave the feeds what their readers take', () => {
    const atom = built.page('feed.xml')
    const feed = JSON.parse(built.page('feed.json')) as { items: { id: string; url: string }[] }
    expect(feed).toMatchObject({
      version: 'https://jsonfeed.org/version/1.1',
      title: 'Conformance runs',
      feed_url: 'https://site.example/runs/feed.json',
    })
    expect(feed.items).toHaveLength(2)
    for (const { id, url } of feed.items) {
      expect(atom).toContain(`<id>${id}</id>`)
      expect(built.files).toContain(url.replace('https://site.example/runs/', ''))
    }
  })

  test('leave the Atom feed well-formed to xmllint', ({ skip }) => {
    if (spawnSync('xmllint', ['--version']).error !== undefined) skip('xmllint is not on this machine')
    execFileSync('xmllint', ['--noout', '--nonet', `${built.path}/feed.xml`], { stdio: 'pipe' })
    const count = ['--xpath', 'count(//*[local-name()="entry"])', `${built.path}/feed.xml`]
    expect(execFileSync('xmllint', count, { encoding: 'utf8' }).trim()).toBe('2')
  })
})
