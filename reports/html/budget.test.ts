/** A page of 800 checks with their evidence is small, and made at once. */
import { expect, test } from 'vitest'
import { areas, serverAreas, type ClauseId } from '../../spec/index.ts'
import type { Exchange, Finding, Run, Verdict } from '../../suites/record.ts'
import { exchange, finding, runOf } from '../run.double.ts'
import { elements } from './page.double.ts'
import { htmlPage } from './page.ts'

const checks = 800
const perCheck = 3
const mostBytes = 2_000_000

const clauses = serverAreas.flatMap((area) =>
  (Object.keys(areas[area]) as ClauseId[]).map((subject) => ({ area, subject })),
)
const stream = Array.from({ length: 20 }, (_, at) => `data: {"type":"token","token":"word ${at}"}\n\n`)

/** As many checks, each with exchanges of its own, of about the size that those of a real run have. */
function runOfMany(verdict: Verdict, text: (check: number) => string): Run {
  const findings = Array.from({ length: checks }, (_, index): Finding => {
    const { area, subject } = clauses[index % clauses.length] ?? { area: 'auth', subject: 'AUTH-MISSING' }
    const evidence = Array.from({ length: perCheck }, (_, at) => perCheck * index + at + 1)
    const said = { expected: text(index), got: text(index), detail: text(index) }
    const scenario = `s${index}`
    return finding({
      verdict,
      subject,
      area,
      scenario,
      check: `${area}/${scenario}/${subject}`,
      evidence,
      ...said,
    })
  })
  const journal = Array.from({ length: perCheck * checks }, (_, at): Exchange => {
    const came = at % 5 === 0 ? stream.join('') : '{"response":"Hello to you, and a good day"}'
    return exchange(at + 1, { scenario: `s${Math.floor(at / perCheck)}`, came })
  })
  return runOf(findings, {}, journal)
}

const plain = (check: number): string => `status 200 in check ${check}`
/** Each byte becomes six. */
const hostile = (check: number): string => `${check}${'\u0000"<'.repeat(400)}`

test.for<[string, Verdict, typeof plain]>([
  ['that passed', 'pass', plain],
  ['that failed, each in its own way', 'fail', plain],
  ['that failed with bytes which take most room', 'fail', hostile],
  ['that were seen where the contract is silent, with such bytes', 'observed', hostile],
])(`${checks} checks %s fit`, ([, verdict, text]) => {
  const page = String(htmlPage.render(runOfMany(verdict, text)))

  expect(Buffer.byteLength(page)).toBeLessThan(mostBytes)
  expect(elements(page)).not.toBeNull()
  expect(page).toContain('<details id="exchange-1">')
  // None is left out, however short it is told.
  for (const check of [0, checks / 2, checks - 1]) expect(page).toContain(`/s${check}/`)
})

/** Milliseconds of processor time, the lesser of two: another process may have been in the way of one. */
function cost(work: () => void): number {
  const spent = Array.from({ length: 2 }, () => {
    const before = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1_000
  })
  return Math.min(...spent)
}

/** A quarter of a second where the page may take half a one; another machine is slower at both. */
function fixedWork(): void {
  const words = Array.from({ length: 500_000 }, (_, at) => `${(at * 7919) % 500_009}`)
  words.sort()
  if (words.join('').length < 1_000_000) throw new Error('it was not done')
}

test('a page is made in half a second', () => {
  const run = runOfMany('pass', plain)
  expect(cost(() => htmlPage.render(run))).toBeLessThan(2 * cost(fixedWork))
})
