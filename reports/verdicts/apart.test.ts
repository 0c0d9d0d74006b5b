import { expect, test } from 'vitest'
import { htmlPage } from '../run/page.ts'
import { finding, runOf } from '../testing/run.testkit.ts'
import { standingOf } from './standing.ts'
import { renderText } from '../run/summary.ts'
import { apartTitle } from './apart.ts'

const older = finding({
  verdict: 'fail',
  subject: 'OLD-SEND',
  area: 'older-variant',
  provisional: true,
  expected: 'status 200',
  got: 'status 201',
})
const run = runOf([finding({ verdict: 'pass' }), older])

test('a finding of the older variant stands under its own heading, after everything that counts', () => {
  const text = renderText(run, { colour: false, width: 80 })
  const [counting = '', apart = ''] = text.split(apartTitle)
  expect(counting).not.toContain('OLD-SEND')
  expect(counting).not.toContain('older-variant')
  expect(apart).toContain('✗ OLD-SEND')
  expect(text.trimEnd().split('\n').at(-2)).toBe('1 passed, 0 failed, 0 skipped, 1 provisional')
})

test('the page has a section for it, and no card among the failures', () => {
  const page = String(htmlPage.render(run))
  const [counting = '', apart = ''] = page.split('id="apart"')
  expect(counting).not.toContain('OLD-SEND')
  expect(apart).toContain('status 201')
})

test('there is no such heading where nothing was judged apart', () => {
  const plain = runOf([finding({ verdict: 'pass' })])
  expect(renderText(plain, { colour: false, width: 80 })).not.toContain(apartTitle)
  expect(htmlPage.render(plain)).not.toContain(apartTitle)
})

test('it is not called provisional as if it were to count one day', () => {
  expect(standingOf(older)).toMatch(/judged apart/)
  expect(standingOf(finding({ provisional: true }))).toMatch(/not in the set/)
})
