/** A page of 800 checks with their evidence is small, and made at once. */
import { expect, test } from 'vitest'
import type { Verdict } from '../bundle/record.ts'
import { runOfMany } from './many-checks.testkit.ts'
import { elements } from './page.testkit.ts'
import { htmlPage } from './page.ts'

const checks = 800
const mostBytes = 1_000_000
const mostHostileBytes = 1_500_000

const plain = (check: number): string => `status 200 in check ${check}`
/** Each byte becomes six. */
const hostile = (check: number): string => `${check}${'\u0000"<'.repeat(400)}`

test.for<[string, Verdict, typeof plain]>([
  ['that passed', 'pass', plain],
  ['that failed, each in its own way', 'fail', plain],
  ['that failed with bytes which take most room', 'fail', hostile],
  ['that were seen where the contract is silent, with such bytes', 'observed', hostile],
])(`${checks} checks %s fit`, ([, verdict, text]) => {
  const page = String(htmlPage.render(runOfMany(checks, verdict, text)))

  expect(Buffer.byteLength(page)).toBeLessThan(text === plain ? mostBytes : mostHostileBytes)
  expect(elements(page)).not.toBeNull()
  expect(page).toContain('<details id="exchange-1">')
  // None is left out, however short it is reported.
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
  const run = runOfMany(checks, 'pass', plain)
  expect(cost(() => htmlPage.render(run))).toBeLessThan(2 * cost(fixedWork))
})
