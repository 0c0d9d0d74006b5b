import { expect, test } from 'vitest'
import type { Run } from '../bundle/record.ts'
import { htmlPage } from '../html/page.ts'
import { markdown } from '../formats/markdown.ts'
import { finding, runOf } from '../testing/run.testkit.ts'
import { renderText } from '../text/summary.ts'

const pass = finding()
const late = finding({ verdict: 'not-exercised', reason: 'interrupted', scenario: 'late', evidence: [] })
const { run } = runOf([]).record
const whole = runOf([pass, late])
const lost: Run = { ...whole, record: { ...whole.record, findings: [pass] } }
const cutOff = runOf([pass, late], { run: { ...run, lifecycle: 'crashed' } })

test.for([
  ['whole', whole, '✓', '2 of 2', 'planned checks have a verdict; they cover 0 of'],
  ['without one of its verdicts', lost, '✗', '1 of 2', 'planned checks have a verdict; they cover 0 of'],
  [
    'cut off',
    cutOff,
    '–',
    '1 of 2',
    'planned checks had a verdict when the run was cut off; they cover 0 of',
  ],
] as const)('a run that is %s says so in every report that counts', ([, given, sign, count, of]) => {
  const options = { colour: false, width: 120, folder: 'out' }
  expect(renderText(given, options)).toContain(`${sign} ${count} ${of}`)
  expect(markdown.render(given)).toContain(`${count} ${of}`)
  const page = String(htmlPage.render(given))
  expect(page).toContain(of)
  expect(page).toContain(` ${count}</span>`)
})
