import { copyFileSync, mkdirSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { exporters } from '../../reports/index.ts'
import { run } from '../process.testkit.ts'
import { temporaryFolder } from '../../spec/testing/machine.testkit.ts'

const root = temporaryFolder()
afterEach(() => void vi.restoreAllMocks())

const breaking = (broken: string): void => {
  for (const exporter of exporters)
    if (exporter.name === broken)
      vi.spyOn(exporter, 'render').mockImplementation(() => {
        throw new TypeError('this is no\nfunction')
      })
}
const listed = (folder: string): readonly string[] => {
  const { files } = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as {
    files: { path: string }[]
  }
  return files.map(({ path }) => path)
}
const defectLine = (name: string, place: string): RegExp =>
  new RegExp(
    `^internal error of Touchstone, please report it: ${name} could not be made \\(TypeError: this is no function, at write-reports.test.ts:\\S+\\); what could is in ${place}\\.\n$`,
  )

test('a report that cannot be rendered is reported and left out, and can be written later; the others are written', async () => {
  const [out, again, elsewhere] = ['out', 'again', 'elsewhere'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ]
  breaking('html')
  const checked = await run([
    'check',
    'simulator',
    '--only',
    'idempotency-replay/json/*',
    '--quiet',
    '--out',
    out,
  ])
  expect(checked).toMatchObject({ code: 70, err: expect.stringMatching(defectLine('html', out)) as string })
  expect(checked.out).toContain('gate passed')
  expect(checked.out).not.toContain('report.html')
  expect(listed(out)).toEqual(
    readdirSync(out)
      .filter((file) => file !== 'manifest.json')
      .toSorted(),
  )
  expect(listed(out)).toEqual(expect.arrayContaining(['run.json', 'junit.xml', 'ctrf.json', 'summary.md']))
  expect(listed(out)).not.toContain('report.html')

  for (const [argv, place] of [
    [['verify', '--rejudge', out, '--out', again], again],
    [['report', out, '--out', elsewhere], elsewhere],
  ] as const) {
    const made = await run(argv)
    expect(made).toMatchObject({ code: 70, err: expect.stringMatching(/html could not be made/) as string })
    expect(readdirSync(place)).toContain('summary.md')
  }

  vi.restoreAllMocks()
  const missing = await run(['verify', out])
  expect(missing).toMatchObject({
    code: 1,
    out: expect.stringContaining('report.html: is not there') as string,
  })
  expect(await run(['verify', '--rejudge', out, '--out', again])).toMatchObject({ code: 0 })
  expect(await run(['verify', again])).toMatchObject({ code: 0 })
})

test('the HTML report that a killed run does not have is not named', async () => {
  const [out, killed] = [join(root, 'whole'), join(root, 'killed')] as const
  const whole = await run(['check', 'simulator', '--only', 'auth/*', '--quiet', '--out', out])
  expect(whole.out).toContain(`report: ${out}/report.html`)
  mkdirSync(killed)
  for (const file of ['plan.json', 'judging.json', 'journal.ndjson'])
    copyFileSync(join(out, file), join(killed, file))

  const again = await run(['report', killed])
  expect(again.out).toContain(' · gate ')
  expect(again.out).not.toContain('report.html')
})
