/** A statement of a real, signed run: what is in it, who else agrees, and what it is not written for. */
import { execFileSync } from 'node:child_process'
import { createPublicKey } from 'node:crypto'
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { run } from '../../cli/process.testkit.ts'
import { asEnvelope, isSignedBy, payloadOf } from '../../bundle/seal/envelope.ts'
import { withTenant } from '../../simulator/index.ts'
import { writeVersionTarget } from './version-target.ts'
import { temporaryFolder } from '../../spec/testing/machine.testkit.ts'

const root = temporaryFolder()
const at = (...names: readonly string[]): string => join(root, ...names)
const bundle = at('report')
const key = ['--key', at('release.pub.pem')]

/** Of a staging server with a version, in the smoke profile. */
beforeAll(async () => {
  for (const name of ['release', 'other']) await run(['keygen', '--out', at(`${name}.pem`)])
  await withTenant(async ({ url, keys, agents }) => {
    writeVersionTarget(at('target.yaml'))
    const signed = ['--sign-key', `file:${at('release.pem')}`, '--out', bundle]
    const env = { URL: url, KEY: keys.main, AGENT: agents.plain }
    const { code, err } = await run(['check', at('target.yaml'), '--profile', 'smoke', ...signed], { env })
    if (code !== 3) throw new Error(`check ended with ${code}: ${err}`)
  })
})

const certify = (...more: readonly string[]) =>
  run(['certify', bundle, ...key, '--allow-partial', ...more], { env: { PATH: process.env['PATH'] } })

test('the page and the signed results say the same', async () => {
  const { code, out } = await certify('--out', at('one'), '--sign-key', `file:${at('release.pem')}`)
  const page = readFileSync(at('one', 'statement.html'), 'utf8')
  const markdown = readFileSync(at('one', 'statement.md'), 'utf8').replaceAll('\\', '')
  const record = JSON.parse(readFileSync(join(bundle, 'run.json'), 'utf8')) as {
    contract: { digest: string }
    tool: { suite: string }
    signing: { keyid: string }
    findings: { check: string; verdict: string }[]
  }

  expect(code).toBe(0)
  expect(out).toMatch(/^PARTIAL conformance statement: acme 4\.2\.1: partial, gate failed\n/)
  const manifest = execFileSync('sha256sum', [join(bundle, 'manifest.json')])
    .toString()
    .slice(0, 64)
  for (const words of [
    'PARTIAL conformance statement: acme 4.2.1',
    'partial (smoke profile)',
    record.contract.digest,
    record.tool.suite,
    record.signing.keyid,
    manifest,
  ])
    for (const text of [page, markdown]) expect(text).toContain(words)
  expect(page).not.toMatch(/<script|<link|src=/)

  const envelope = asEnvelope(JSON.parse(readFileSync(at('one', 'test-result.dsse.json'), 'utf8')))
  if (envelope === null) throw new Error('it is no envelope')
  expect(isSignedBy(envelope, createPublicKey(readFileSync(at('release.pub.pem'))))).toBe(true)
  expect(JSON.parse(Buffer.from(payloadOf(envelope)).toString())).toMatchObject({
    predicateType: 'https://in-toto.io/attestation/test-result/v0.1',
    subject: expect.arrayContaining([{ name: 'manifest.json', digest: { sha256: manifest } }]),
    predicate: {
      result: 'WARNED',
      passedTests: record.findings.flatMap(({ check, verdict }) => (verdict === 'pass' ? [check] : [])),
      failedTests: [],
    },
  })
})

const asWritten = /✓ result     WARNED: acme 4\.2\.1 \(http:\/\/127\.0\.0\.1:[^]*VERIFIED: signed by key id /

test.for<[string, file: string, text: string | null, code: number, RegExp]>([
  ['as it was written', '', null, 0, asWritten],
  ['with an edited page', 'statement.html', 'conformant', 1, /statement\.html: not the file that was signed/],
  ['without the Markdown', 'statement.md', null, 1, /statement\.md: signed, and not there/],
  ['with a further file', 'more.html', '', 1, /more\.html: not in the signed test result/],
])('verify reads the handed over folder %s', async ([name, file, text, code, words]) => {
  const folder = at(name)
  cpSync(at('one'), folder, { recursive: true })
  if (text !== null) writeFileSync(join(folder, file), text)
  else if (file !== '') rmSync(join(folder, file))

  expect(await run(['verify', folder, ...key])).toMatchObject({ code, out: expect.stringMatching(words) })
  expect(await run(['verify', folder, '--key', at('other.pub.pem')])).toMatchObject({ code: 1 })
})

test('a run judged again by a set that demands less says what it leaves out', async () => {
  const set = ['name: 2026-11-draft.1', 'base: 2026-11', 'remove: [AUTH-UNKNOWN]', 'change:']
  writeFileSync(at('less.yaml'), [...set, '  IDEM-REPLAY-STATUS: { level: should }', ''].join('\n'))
  const again = at('again-report')
  await run(['verify', '--rejudge', bundle, '--clause-set', at('less.yaml'), '--out', again])
  expect(await run(['report', again, '--sign-key', `file:${at('release.pem')}`])).toMatchObject({ code: 0 })
  const more = ['--allow-partial', '--out', at('less'), '--sign-key', `file:${at('release.pem')}`]
  const { code, out, err } = await run(['certify', again, ...key, ...more])
  const page = readFileSync(at('less', 'statement.html'), 'utf8').replaceAll(/\s+/g, ' ')

  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out).toMatch(
    /^PARTIAL conformance statement: acme 4\.2\.1 \(clause set 2026-11-draft\.1, not published\)/,
  )
  for (const words of [
    'Unpublished clause set.',
    '1 MUST clause removed, 1 MUST clause lowered to SHOULD. This is no statement about 2026-11.',
    '1 MUST of 2026-11 removed: <code>AUTH-UNKNOWN</code>',
    'later judged again against the clauses of 2026-11-draft.1, not 2026-11',
  ])
    expect(page).toContain(words)
  const { payload } = JSON.parse(readFileSync(at('less', 'test-result.dsse.json'), 'utf8'))
  const unpublished = { base: '2026-11', removed: ['AUTH-UNKNOWN'], lowered: ['IDEM-REPLAY-STATUS'] }
  expect(JSON.parse(Buffer.from(payload, 'base64').toString()).predicate.configuration).toMatchObject([
    { name: 'clause-set', annotations: { revision: '2026-11-draft.1', unpublished } },
    { name: 'suite' },
    { name: 'target' },
    { name: 'run', annotations: { judgedAgain: expect.stringContaining('2026-11-draft.1') } },
  ])
})

const forged = (): string => {
  cpSync(bundle, at('forged'), { recursive: true })
  const file = at('forged', 'run.json')
  writeFileSync(file, readFileSync(file, 'utf8').replace('"4.2.1"', '"4.2.2"'))
  return at('forged')
}

test.each<[string, () => readonly string[], number, string]>([
  ['a partial run without the option', () => [bundle, ...key], 2, 'state it as partial with --allow-partial'],
  ['another key', () => [bundle, '--key', at('other.pub.pem'), '--allow-partial'], 1, 'NOT VERIFIED'],
  ['an altered version', () => [forged(), ...key, '--allow-partial'], 1, 'NOT VERIFIED'],
  ['a golden run that nobody signed', () => ['test/golden-run', ...key], 2, 'cannot be certified: '],
  [
    'a folder within the bundle',
    () => [bundle, ...key, '--allow-partial', '--out', join(bundle, 'x')],
    2,
    'sealed',
  ],
])('nothing is written for %s', async (_, argv, code, words) => {
  const out = at('refused')
  const result = await run(['certify', '--out', out, ...argv()])

  expect(result).toMatchObject({ code, err: expect.stringContaining(words) })
  expect(() => readdirSync(out)).toThrow('ENOENT')
})

test('a folder with files of others stays as it is, and one of an earlier statement is replaced', async () => {
  mkdirSync(at('mine'))
  writeFileSync(at('mine', 'thesis.txt'), 'mine')
  const err = expect.stringContaining('thesis.txt')
  expect(await certify('--out', at('mine'))).toMatchObject({ code: 2, err })
  expect(readdirSync(at('mine'))).toEqual(['thesis.txt'])

  await certify('--out', at('again'), '--sign-key', `file:${at('release.pem')}`)
  await certify('--out', at('again'))
  expect(readdirSync(at('again'))).not.toContain('test-result.dsse.json')
  const same =
    /✓ result {5}partial: acme 4\.2\.1 [^]*, signed result verified; the page contains the same answers\n$/
  const verified = { code: 0, out: expect.stringMatching(same) }
  expect(await run(['verify', at('again'), ...key])).toMatchObject(verified)
  const forged = (text: string) => text.replaceAll('partial', 'conformant').replaceAll('PARTIAL ', '')
  const ofOther = (text: string) => forged(text.replace(/(bundle and a copy of Touchstone )[^,]+/, '$19.9.9'))
  for (const file of ['statement.html', 'statement.md'])
    for (const [change, code, words] of [
      [forged, 1, `${file}: does not contain the same title and answers as the signed result`],
      [ofOther, 3, '– files      page not compared (another version wrote it)'],
    ] as const) {
      const text = readFileSync(at('again', file), 'utf8')
      writeFileSync(at('again', file), change(text))
      const out = expect.stringContaining(words)
      expect(await run(['verify', at('again'), ...key])).toMatchObject({ code, out })
      writeFileSync(at('again', file), text)
    }
  const statement = JSON.parse(readFileSync(at('again', 'statement.dsse.json'), 'utf8'))
  const { predicate, ...rest } = JSON.parse(Buffer.from(statement.payload, 'base64').toString())
  delete predicate.scope.notExercised
  const payload = Buffer.from(JSON.stringify({ ...rest, predicate })).toString('base64')
  writeFileSync(at('again', 'statement.dsse.json'), JSON.stringify({ ...statement, payload }))
  const out = expect.stringContaining('the page contains the same title and answers')
  expect(await run(['verify', at('again')])).toMatchObject({ code: 3, out })
  expect(await run(['verify', at('again'), '--key', at('other.pub.pem')])).toMatchObject({ code: 1 })
})

test.for<[string, number, string]>([
  ['', 3, 'no run of this version counts (1 of a smoke profile)'],
  [',partial=yes', 0, 'PASSED: acme 4.2.1: PARTIAL, run '],
])('a release is decided from the statement of a real run%s', async ([more, code, words]) => {
  const required = `target=acme,version=4.2.1,signer=${at('release.pub.pem')}${more}`

  expect(await run(['verify', bundle, '--require', required])).toMatchObject({
    code,
    out: expect.stringContaining(words),
  })
})
