import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RunRecord } from '../../../reports/bundle/record.ts'
import type { CheckList } from '../../../spec/types/show.ts'
import { startPage, type SessionPage } from './session.testkit.ts'

const check = 'idempotency-replay/stream/IDEM-STREAM-REPLAY-HEADER'

let root: string
let out: string
let page: SessionPage
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'touchstone-rerun-'))
  out = join(root, 'first')
  const only = ['--only', 'idempotency-replay/stream/*', '--fault', 'replay-unmarked']
  page = await startPage(['check', 'simulator', ...only, '--quiet', '--out', out])
  await page.ended(1)
})
afterAll(async () => {
  await page.stop()
  rmSync(root, { recursive: true })
})

const recordIn = (folder: string) => JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8')) as RunRecord
const digest = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) =>
      createHash('sha256')
        .update(readFileSync(join(parentPath, name)))
        .digest('hex'),
    )

describe('checks that are run again', () => {
  it('are a run of their own, with the same seed, in a folder beside that of the first run', async () => {
    const before = digest(out)
    expect(await page.call('POST', '/api/reruns', { checks: null })).toEqual({
      status: 202,
      body: { number: 2, checks: null },
    })
    const { run } = await page.ended(2)
    const again = recordIn(`${out}.rerun-1`)
    expect(run).toBe('first.rerun-1')
    expect(again.findings.map(({ check, verdict }) => [check, verdict])).toEqual([[check, 'fail']])
    expect(again.run.seed).toBe(recordIn(out).run.seed)
    expect(again.run.id).not.toBe(recordIn(out).run.id)
    expect(digest(out)).toEqual(before)

    const { body } = await page.call('GET', '/api/runs/first/checks?verdict=fail')
    expect(body).toMatchObject({ items: [{ check, others: [{ run, later: true, verdict: 'fail' }] }] })
  })

  it('are queued, run in order, and never in one folder', async () => {
    for (const one of [check, check]) await page.call('POST', '/api/reruns', { checks: [one] })
    await page.ended(4)
    expect(
      [`${out}.rerun-2`, `${out}.rerun-3`].map((folder) => existsSync(join(folder, 'run.json'))),
    ).toEqual([true, true])
  })

  it.each([
    ['a check that no run has', { checks: ['nothing/like/THIS'] }, {}, 404],
    ['a pattern', { checks: ['*'] }, {}, 404],
    ['no list', { checks: 'all' }, {}, 400],
    ['an empty list', { checks: [] }, {}, 400],
    ['no member', {}, {}, 400],
    ['another type', { checks: null }, { 'content-type': 'text/plain' }, 415],
    ['another origin', { checks: null }, { origin: 'http://localhost:1' }, 403],
    ['another site', { checks: null }, { 'sec-fetch-site': 'cross-site' }, 403],
    ['another name', { checks: null }, { host: 'site.example' }, 403],
    ['no token', { checks: null }, { authorization: '' }, 401],
  ] as const)('are refused with %s', async (_, body, headers, status) => {
    const answered = await page.call('POST', '/api/reruns', body, headers)
    expect(answered).toEqual({ status, body: { error: expect.any(String) as string } })
  })

  it('are those that pass, too', async () => {
    const { body } = await page.call('GET', '/api/runs/first/checks?verdict=pass&limit=1')
    const passing = (body as CheckList).items[0]?.check ?? ''
    expect((await page.call('POST', '/api/reruns', { checks: [passing] })).status).toBe(202)
    await page.ended(5)
    const { findings } = recordIn(`${out}.rerun-4`)
    expect(findings.map((one) => [one.check, one.verdict])).toEqual([[passing, 'pass']])
  })
})
