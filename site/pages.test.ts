/** docs/ as a whole: short pages, each with its place on the site. */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { documentPages, documentPaths, repository } from './documents.ts'
import { llmsText } from './llms.ts'
import { sections } from './navigation.ts'
import { sitePages } from './pages.ts'

const mostWords = 1500

test('no page is longer than a person reads at once', () => {
  const read = documentPaths().filter((path) => !/^(CONTRIBUTING|CHANGELOG|docs\/measured\/)/.test(path))
  const long = read.flatMap((path) => {
    const words = readFileSync(join(repository, path), 'utf8').match(/\S+/g)?.length ?? 0
    return words > mostWords ? [`${path}: ${words} words`] : []
  })
  expect(
    long,
    'shorten or split these; what is looked up belongs into site/reference/, what was measured into docs/measured/',
  ).toEqual([])
})

const pages = sitePages()
const named = sections.flatMap((section) => section.pages.map((page) => `${page}.md`))

test('the navigation has every page of docs/ once, and no page that is not there', () => {
  expect(named.filter((page) => pages[page] === undefined)).toEqual([])
  expect(named.length).toBe(new Set(named).size)
  const reachable = new Set([...named, 'index.md'])
  const unlisted = Object.keys(documentPages()).filter((page) => !/^(source|decisions)\//.test(page))
  expect(unlisted.filter((page) => !reachable.has(page))).toEqual([])
})

test('every decision is on the page of decisions', () => {
  const list = pages['decisions/index.md'] ?? ''
  const files = readdirSync(join(repository, 'docs/decisions')).filter((name) => name !== 'README.md')
  expect(files.filter((name) => !list.includes(`](/decisions/${name})`))).toEqual([])
})

test('each link between pages leads to a page', () => {
  const dead = Object.entries(pages).flatMap(([page, text]) =>
    [...text.matchAll(/\]\(\/([^)#]+\.md)/g)].flatMap(([, target = '']) =>
      pages[target] === undefined ? [`${page}: ${target}`] : [],
    ),
  )
  expect(dead).toEqual([])
})

test('llms.txt has every page of the navigation, most of them with what they are about', () => {
  const text = llmsText(pages, '/')
  const lines = text.split('\n').filter((line) => line.startsWith('- '))
  expect(lines).toHaveLength(named.length)
  expect(lines.filter((line) => line.includes('): ')).length).toBeGreaterThan(0.9 * lines.length)
})

test('the reference has what only it has', () => {
  expect(pages['reference/touchstone.md']).toContain('--policy')
  expect(pages['reference/target-file.md']).toContain('`enter.url`')
  expect(pages['reference/errors.md']).toContain('`OUTCOME_UNCERTAIN`')
  expect(pages['reference/clauses/idempotency.md']).toMatch(/IDEM-REPLAY-HEADER[^]*`replay-unmarked`/)
  expect(pages['reference/control-api.md']).toContain('`GET /healthz`')
})
