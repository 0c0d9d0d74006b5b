import {
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createSimulator, type Simulator } from '../../../simulator/index.ts'
import type { CheckList, TargetFileText } from '../../../spec/types/show.ts'
import { dayAfter } from '../../../suites/policy/policy.ts'
import { realClock } from '../../../suites/wire/clock.ts'
import { startPage, targetText, type SessionPage } from './session.testkit.ts'

const check = 'idempotency-replay/stream/IDEM-STREAM-REPLAY-HEADER'
const today = realClock().wall().slice(0, 10)
const later = dayAfter(today, 30)

const handWritten = `# Reviewed every Monday.
flaky: [] # none so far

knownFailures:
# Taken over from the old gate.
- check: chat-basics/json/CHAT-STATUS # to be removed
  fingerprint: "0123456789ab"
  owner: chat team
  reason: 'under repair'
  created: ${today}
  expires: ${later}
`

let root: string
let simulator: Simulator
let page: SessionPage
let target: string
let policy: string
let original: string
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'touchstone-session-'))
  ;[target, policy] = [join(root, 'target.yaml'), join(root, 'policy.yaml')]
  simulator = await createSimulator({ faults: ['replay-unmarked'] })
  original = targetText(simulator)
  writeFileSync(target, original)
  writeFileSync(policy, '')
  const words = [
    'check',
    target,
    '--only',
    'idempotency-replay/stream/*',
    '--quiet',
    '--out',
    join(root, 'out'),
  ]
  page = await startPage(words, { env: { MAIN: simulator.tenant.keys.main } })
  await page.ended(1)
})
afterAll(async () => {
  await page.stop()
  await simulator.close()
  rmSync(root, { recursive: true })
})
beforeEach(() => {
  writeFileSync(target, original)
  writeFileSync(policy, '')
})

const readTarget = async () => (await page.call('GET', '/api/target-file')).body as TargetFileText
const save = async (text: string, digest: string) => page.call('PUT', '/api/target-file', { text, digest })
const refusal = (status: number, words: string | RegExp) => ({
  status,
  body: { error: expect.stringMatching(words) as string },
})

describe('the target file of a session', () => {
  it('is read as it is, and saved to the same file', async () => {
    const { text, digest, withheld } = await readTarget()
    expect([text, withheld]).toEqual([original, null])
    const saved = await save(original.replace('ours', 'renamed'), digest)
    expect([saved.status, readFileSync(target, 'utf8')]).toEqual([200, original.replace('ours', 'renamed')])
    expect(saved.body).toMatchObject({ path: target, withheld: null })
    expect(readdirSync(root).toSorted()).toEqual(['out', 'policy.yaml', 'target.yaml'])
  })

  it.each([
    ['what is not YAML', 'target: [', /not YAML/],
    ['what the schema does not allow', 'apiVersion: touchstone/v1\ntarget: {}', /target/],
    ['a key written out', 'MAIN', /an API key written out; give it as env:NAME or file:path/],
    ['a variable that is not set', 'OTHER', /environment variable OTHER is not set/],
  ])('is not replaced by %s', async (_, text, words) => {
    const { digest } = await readTarget()
    const wrong = text === 'MAIN' ? original.replace('env:MAIN', 'sk-written-out-here') : text
    const unset = text === 'OTHER' ? original.replace('env:MAIN', 'env:OTHER') : wrong
    expect(await save(unset, digest)).toEqual(refusal(422, words))
    expect(readFileSync(target, 'utf8')).toBe(original)
  })

  it('is not overwritten where it was changed on disk meanwhile', async () => {
    const { digest } = await readTarget()
    const changed = `${original}# by somebody else\n`
    writeFileSync(target, changed)
    expect(await save(original, digest)).toEqual(refusal(409, /was changed on disk since it was read/))
    expect(readFileSync(target, 'utf8')).toBe(changed)
  })

  it('is not followed to another file by a link that took its place', async () => {
    const { digest } = await readTarget()
    unlinkSync(target)
    symlinkSync(policy, target)
    const answered = [await save(original, digest), await page.call('GET', '/api/target-file')]
    expect(answered).toEqual([refusal(422, /no plain file/), refusal(422, /no plain file/)])
    expect(readFileSync(policy, 'utf8')).toBe('')
    unlinkSync(target)
    writeFileSync(target, original)
  })

  it.each([
    ['a secret in it', () => `# once ${simulator.tenant.keys.main}\n`, /secret written out/],
    ['what is not valid', () => 'nothing: [\n', /not a valid target file/],
  ])('is not shown with %s', async (_, line, words) => {
    writeFileSync(target, original + line())
    const { text, withheld } = await readTarget()
    expect([text, withheld]).toEqual([null, expect.stringMatching(words)])
    expect(withheld).not.toContain(simulator.tenant.keys.main)
  })

  it('keeps the line ends that it has', async () => {
    writeFileSync(target, original.replaceAll('\n', '\r\n'))
    const { digest } = await readTarget()
    expect((await save(original, digest)).status).toBe(200)
    expect(readFileSync(target, 'utf8')).toBe(original.replaceAll('\n', '\r\n'))
  })

  it('is examined as it is in the request, without a key in the results', async () => {
    const { status, body } = await page.call('POST', '/api/target-file/examination', {
      text: original.replace('plain: ', 'plain: no-'),
    })
    const { results } = body as { results: { is: string; about: string }[] }
    expect(status).toBe(200)
    expect(results).toContainEqual(expect.objectContaining({ is: 'fine', about: 'target.baseUrl' }))
    expect(results).toContainEqual(expect.objectContaining({ is: 'wrong', about: 'agents.plain' }))
    expect(JSON.stringify(body)).not.toContain(simulator.tenant.keys.main)
    expect(readFileSync(target, 'utf8')).toBe(original)
  })
})

const place = `/api/runs/out/checks/${encodeURIComponent(check)}/waiver`
const waiver = { list: 'knownFailures', owner: 'chat team', reason: 'a proxy drops it', expires: later }

describe('a waiver', () => {
  it('is added to the policy file, whose comments and order stay', async () => {
    writeFileSync(policy, handWritten)
    const { status } = await page.call('POST', place, { ...waiver, issue: 'https://tracker.example/7' })
    const text = readFileSync(policy, 'utf8')
    expect(status).toBe(201)
    expect(text.slice(0, handWritten.length)).toBe(handWritten)
    expect(text.slice(handWritten.length)).toMatch(
      new RegExp(
        `^- check: ${check}\n  fingerprint: "?[0-9a-f]{12}"?\n  owner: chat team\n  reason: a proxy drops it\n  issue: https://tracker.example/7\n  created: ${today}\n  expires: ${later}\n$`,
      ),
    )
  })

  it('lets the next run of the check pass its gate, and stays a failure', async () => {
    await page.call('POST', place, waiver)
    const { body: passed } = await page.call('GET', '/api/runs/out/checks?verdict=pass&limit=1')
    const passing = (passed as CheckList).items[0]?.check ?? ''
    await page.call('POST', '/api/reruns', { checks: [check, passing] })
    const { run } = await page.ended(2)
    const { body: overview } = await page.call('GET', `/api/runs/${run}`)
    expect(overview).toMatchObject({ because: [], exitCode: 0 })
    const { body } = await page.call('GET', `/api/runs/${run}/checks/${encodeURIComponent(check)}/waiver`)
    expect(body).toMatchObject({ lists: [], refusal: `It is waived already, by chat team until ${later}.` })
  })

  it('is offered for what the policy accepts', async () => {
    const offered = await page.call('GET', place)
    expect(offered.body).toEqual({
      file: policy,
      lists: ['knownFailures', 'flaky'],
      refusal: null,
      latest: dayAfter(today, 180),
    })
  })

  it.each([
    ['without an owner', { owner: '' }, 422, /owner/],
    ['without a reason', { reason: ' ' }, 422, /reason/],
    ['for longer than allowed', { expires: dayAfter(today, 181) }, 422, /180 are the most/],
    ['until a day that is past', { expires: dayAfter(today, -1) }, 422, /before it was created/],
    ['until no day', { expires: 'tomorrow' }, 422, /day|expires/],
    ['with an issue that is no address', { issue: 'javascript:alert(1)' }, 422, /issue/],
    [
      'in a list that does not accept it',
      { list: 'expectedNotExercised' },
      409,
      /knownFailures or flaky can/,
    ],
  ])('is refused %s', async (_, change, status, words) => {
    expect(await page.call('POST', place, { ...waiver, ...change })).toEqual(refusal(status, words))
    expect(readFileSync(policy, 'utf8')).toBe('')
  })

  it('is refused twice, and where the policy on disk is wrong', async () => {
    await page.call('POST', place, waiver)
    const written = readFileSync(policy, 'utf8')
    expect(await page.call('POST', place, waiver)).toEqual(refusal(422, /as one before it is/))
    expect(readFileSync(policy, 'utf8')).toBe(written)
    writeFileSync(policy, 'flaky: [')
    expect(await page.call('POST', place, waiver)).toEqual(refusal(422, /not YAML/))
  })
})

describe('a page that writes files', () => {
  it.each([
    ['another origin', { origin: 'http://localhost:1' }, 403],
    ['another site', { 'sec-fetch-site': 'cross-site' }, 403],
    ['no token', { authorization: '' }, 401],
    ['no JSON', { 'content-type': 'text/plain' }, 415],
  ])('refuses requests with %s', async (_, headers, status) => {
    const { digest } = await readTarget()
    const answered = [
      await page.call('PUT', '/api/target-file', { text: original, digest, path: '/etc/passwd' }, headers),
      await page.call('POST', '/api/target-file/examination', { text: original }, headers),
      await page.call('POST', place, waiver, headers),
    ]
    expect(answered.map((one) => one.status)).toEqual([status, status, status])
    expect([readFileSync(target, 'utf8'), readFileSync(policy, 'utf8')]).toEqual([original, ''])
  })

  it('has no route to another file', async () => {
    const { digest } = await readTarget()
    const answered = await page.call('PUT', '/api/target-file/..%2Fother.yaml', { text: original, digest })
    expect(answered.status).toBe(404)
  })
})
