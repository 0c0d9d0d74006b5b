/** The sample in reports/sample is what this version would leave: made anew by `npm run sample`. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { run } from '../cli/process.double.ts'
import { version } from '../cli/version.ts'
import { readBundle } from '../cli/bundle/bundle.ts'
import { compare } from '../reports/diff/index.ts'
import { sampleFolder, sampleKey, sampleRuns } from '../scripts/sample/runs.ts'

const root = mkdtempSync(join(tmpdir(), 'touchstone-sample-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const renew = 'the sample is of another version: run `npm run sample`'

describe.each(sampleRuns)('the sample $name', ({ name, words, exitCode }) => {
  const folder = join(sampleFolder, name)

  test('holds in everything that can be verified, its reports made anew byte by byte', async () => {
    expect(readBundle(folder).run.record.tool.version, renew).toBe(version())
    const { code, out } = await run(['verify', folder, '--key', sampleKey, '--rejudge'])
    expect(
      out.split('\n').filter((line) => !line.startsWith('✓')),
      renew,
    ).toEqual([''])
    expect(code).toBe(0)
  })

  test('tells what such a run tells today', async () => {
    const out = join(root, name)
    const { code } = await run([...words, '--out', out])
    expect(code).toBe(exitCode)
    const [sample, fresh] = [readBundle(folder).run, readBundle(out).run]
    expect(fresh.record.plan.digest, renew).toBe(sample.record.plan.digest)
    const changes = compare(sample, fresh).changes.filter(({ kind }) => kind !== 'still failing')
    expect(changes, renew).toEqual([])
  })

  test('names no folder of the machine that it was made on', () => {
    const told = ['run.json', 'plan.json', 'journal.ndjson', 'report.html', 'junit.xml']
    const texts = told.map((file) => readFileSync(join(folder, file), 'utf8'))
    expect(texts.filter((text) => text.includes(process.cwd()) || text.includes(tmpdir()))).toEqual([])
  })
})
