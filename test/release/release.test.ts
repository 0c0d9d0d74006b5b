/** What decides on a release, and what a forger and a careless signer can do about it. */
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { run } from '../../cli/process.testkit.ts'
import { findClauseSet } from '../../suites/policy/clause-set-file.ts'
import {
  envelope,
  failing,
  gate,
  good,
  hoursAgo,
  of,
  payloadText,
  ran,
  release,
  stated,
  stranger,
} from './statements.ts'
import { temporaryFolder } from '../../spec/testing/machine.testkit.ts'

const root = temporaryFolder()
const at = (name: string): string => join(root, name)
beforeAll(() => {
  for (const [name, { publicKey }] of Object.entries({ release, stranger }))
    writeFileSync(at(`${name}.pem`), publicKey.export({ type: 'spki', format: 'pem' }))
})

type Files = Readonly<Record<string, string>>

function folderOf(files: Files): string {
  const folder = mkdtempSync(at('runs-'))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

const decided = (folder: string, ...more: readonly string[]) =>
  run([
    'verify',
    folder,
    '--require',
    ['target=acme,version=4.2.1', `signer=${at('release.pem')}`, ...more].join(),
  ])

/** Statements in folders of their own, in order. */
const all = (...texts: readonly string[]): Files =>
  Object.fromEntries(texts.map((text, index) => [`${index}/statement.dsse.json`, text]))

const selection = { plan: { ...good.plan, leftOut: [{ by: 'selection', checks: ['a/b/C'] }] } } as const
const shard = { plan: { ...good.plan, shard: { number: 1, of: 2, plan: 'c'.repeat(64) } } }
const next = 'test/clause-sets/next.yaml'
const drafted = { contract: findClauseSet(next) }
const { findings } = good
const missing = {
  reason: 'shard-missing',
  verdict: 'not-exercised',
  check: 'a/b/C',
} as (typeof findings)[number]

const ofTwoKinds = [
  stated(),
  stated({ ...failing, ...ran({ endedAt: hoursAgo(2) }), ...of({ kind: 'production' }) }),
]

describe('the newest run that counts decides', () => {
  test.for<[string, readonly string[], number, string, ...string[]]>([
    ['conformant', [stated()], 0, 'PASSED: acme 4.2.1: conformant, run '],
    ['nonconformant', [stated(failing)], 1, 'FAILED: acme 4.2.1: nonconformant'],
    ['a failure after a pass', [stated(ran({ endedAt: hoursAgo(2) })), stated(failing)], 1, 'nonconformant'],
    [
      'a pass after a failure',
      [stated(), stated({ ...failing, ...ran({ endedAt: hoursAgo(2) }) })],
      0,
      'conformant',
    ],
    ['a pass and a failure of one time: the worst', [stated(), stated(failing)], 1, 'nonconformant'],
    ['the same in other order', [stated(failing), stated()], 1, 'nonconformant'],
    ['a failure in a selection', [stated(), stated({ ...failing, ...selection })], 1, 'nonconformant'],
    ['a run of minutes ago', [stated(ran({ endedAt: hoursAgo(0.5) }))], 3, '(30 minutes)', 'max-age=5m'],
    [
      'what did not count beside a pass',
      [stated(), stated(of({ version: '4' })), '\ufeff{}', '{'],
      0,
      '; not counted: 2 not a signed statement, 1 of another version\n',
    ],
    ['the kind of its target', [stated()], 0, ' against staging https://acme.example, '],
    ['a pass of staging after a failure of production', ofTwoKinds, 0, 'against staging'],
    ['a kind that is asked for', ofTwoKinds, 1, '; not counted: 1 of the kind staging', 'kind=production'],
    ['an old run', [stated(ran({ endedAt: hoursAgo(20 * 24) }))], 3, 'too old (20 days)'],
    ['an old run that is let', [stated(ran({ endedAt: hoursAgo(480) }))], 0, 'PASSED', 'max-age=21d'],
    ['a future date', [stated(ran({ endedAt: hoursAgo(-1) }))], 3, 'dated in the future'],
    ['a partial run', [stated({ conformance: 'partial' })], 3, 'partial'],
    [
      'a partial run after a conformant one',
      [stated(ran({ endedAt: hoursAgo(2) })), stated({ conformance: 'partial' })],
      3,
      'partial',
    ],
    ['an interrupted run', [stated(ran({ lifecycle: 'interrupted' }))], 3, 'partial (run interrupted)'],
    ['a run without a shard', [stated({ findings: [missing] })], 3, 'partial'],
    [
      'a partial run that is let',
      [stated({ conformance: 'partial' })],
      0,
      'PASSED: acme 4.2.1: PARTIAL',
      'partial=yes',
    ],
    ['a smoke run that is let', [stated(ran({ profile: 'smoke' }))], 0, 'PARTIAL', 'partial=yes'],
    ['waived failures', [stated({ ...failing, gate: gate(true), exitCode: 0 })], 1, 'nonconformant'],
    [
      'waived failures that are let',
      [stated({ ...failing, gate: gate(true), exitCode: 0 })],
      0,
      'gate passed (nonconformant)',
      'accept=gate',
    ],
    [
      'a stale policy',
      [stated({ gate: gate(false), exitCode: 5 })],
      5,
      'gate failed (conformant)',
      'accept=gate',
    ],
    [
      'a run without all that its gate wants',
      [stated({ gate: gate(false), exitCode: 3 })],
      3,
      'gate failed',
      'accept=gate',
    ],
    [
      'a clause set of the future',
      [stated({ contract: { ...good.contract, revision: '2099-01' } })],
      0,
      'clause set 2099-01',
    ],
    ['the set of a file that is given', [stated(drafted)], 0, 'set 2027-03-draft.1', `clause-set=${next}`],
    ['a failure by it', [stated({ ...drafted, ...failing })], 1, 'nonconformant', `clause-set=${next}`],
    [
      'a set published after the draft that is given',
      [stated({ contract: { ...good.contract, revision: '2027-03' } })],
      0,
      'clause set 2027-03',
      `clause-set=${next}`,
    ],
    [
      'a published set before the draft that is given',
      [stated()],
      3,
      '1 of the older clause set 2026-11',
      `clause-set=${next}`,
    ],
    [
      'a draft with its name alone',
      [stated(drafted)],
      3,
      '1 of the clause set 2027-03-draft.1 from a file',
      'clause-set=2027-03-draft.1',
    ],
    [
      'a draft that was altered under the same name',
      [stated({ contract: { ...drafted.contract, digest: 'd'.repeat(64) } })],
      3,
      '1 of a clause set 2027-03-draft.1 that was altered',
      `clause-set=${next}`,
    ],
    ['one of two signers', [stated({}, stranger)], 0, 'PASSED', `signer=${at('stranger.pem')}`],
    ['nothing', [], 3, 'no run of this version counts (there are no statements)'],
  ])('%s', async ([, statements, code, words, ...more]) => {
    const { out, ...rest } = await decided(folderOf(all(...statements)), ...more)

    expect(rest).toEqual({ code, err: '' })
    expect(out).toContain(words)
    expect(out.match(/\n/g)).toHaveLength(1)
  })
})

const text = JSON.stringify
const whole = envelope()
const signature = whole.signatures[0]
const lookalike = of({ name: '\u0430cme' })

/** The good statement with another text in place of one, signed all the same. */
const altered = (from: string, to: string): string => text(envelope(payloadText().replace(from, to)))
/** The envelope of the good one, changed after it was signed. */
const changed = (over: object): string => text({ ...whole, ...over })

describe('a statement that does not count alters no answer:', () => {
  test.for<[string, string | Files, string]>([
    ['of another target', stated(of({ name: 'acme-eu' })), 'of another target'],
    ['a look-alike name', stated(lookalike), 'of another target'],
    ['a name with an invisible letter', stated(of({ name: 'acme\u200b' })), 'of another target'],
    ['a name in other case', stated(of({ name: 'Acme' })), 'of another target'],
    ['of another version', stated(of({ version: '4.2.10' })), 'of another version'],
    ['of full-width digits', stated(of({ version: '\uff14.2.1' })), 'of another version'],
    ['of no version', altered(',"version":"4.2.1"', ''), 'of another version'],
    ['of the simulator', stated(of({ kind: 'simulator' })), 'of a simulator'],
    ['of a client', stated(of({ kind: 'client' })), 'of a client'],
    ['of a selection', stated(selection), 'of a selection'],
    ['of a shard', stated(shard), 'of a shard'],
    ['of the smoke profile', stated(ran({ profile: 'smoke' })), 'of a smoke profile'],
    [
      'of an older clause set',
      stated({ contract: { ...good.contract, revision: '2026-05' } }),
      'older clause set',
    ],
    [
      'of an altered clause set',
      stated({ contract: { ...good.contract, digest: '0'.repeat(64) } }),
      'was altered',
    ],
    ['by a set from a file', stated(drafted), 'of the clause set 2027-03-draft.1 from a file'],
    [
      'that fails by a set from a file',
      stated({ ...drafted, ...failing }),
      'of the clause set 2027-03-draft.1 from a file',
    ],
    [
      'by a set from a file with a published name',
      stated({ contract: { ...drafted.contract, revision: good.contract.revision } }),
      'of the clause set 2026-11 from a file',
    ],
    ['of an unknown signer', stated({}, stranger), 'not signed by a given key'],
    [
      'of an unknown signer, with the id of a known one',
      text({
        ...envelope(payloadText(), undefined, stranger),
        signatures: [
          { keyid: signature?.keyid, sig: envelope(payloadText(), undefined, stranger).signatures[0]?.sig },
        ],
      }),
      'not signed by a given key',
    ],
    [
      'with the signature of another',
      text({ ...envelope(payloadText(failing)), payload: whole.payload }),
      'not signed by a given key',
    ],
    ['cut off', text(whole).slice(0, -40), 'not a signed statement'],
    ['with a cut-off payload', changed({ payload: whole.payload.slice(0, -8) }), 'not signed by a given key'],
    [
      'with a cut-off signature',
      changed({ signatures: [{ sig: signature?.sig.slice(0, 40) }] }),
      'not signed by a given key',
    ],
    ['without a signature', changed({ signatures: [] }), 'not a signed statement'],
    ['renamed to another payload type', changed({ payloadType: 'application/json' }), 'another payload type'],
    [
      'signed as another payload type',
      text(envelope(payloadText(), 'application/json')),
      'another payload type',
    ],
    [
      'another type under the name of ours',
      text({ ...envelope(payloadText(), 'application/json'), payloadType: whole.payloadType }),
      'not signed by a given key',
    ],
    [
      'a test result',
      altered('urn:touchstone:conformance-result:v1', 'https://in-toto.io/attestation/test-result/v0.1'),
      'another predicate type',
    ],
    ['no in-toto statement', altered('in-toto.io/Statement', 'in-toto.io/Other'), 'another predicate type'],
    [
      'a payload that is there twice',
      text(whole).replace('{', `{"payload":"${envelope(payloadText(failing)).payload}",`),
      'not a signed statement',
    ],
    [
      'signed with a duplicate key',
      altered('"conformance":', '"conformance":"partial","conformance":'),
      'another predicate type',
    ],
    [
      'with a version that is inherited',
      text(
        envelope(
          payloadText(of({ version: '1' })).replace('"version":"1"', '"__proto__":{"version":"4.2.1"}'),
        ),
      ),
      'of another version',
    ],
    ['with an answer that is none', altered('"conformant"', '"CONFORMANT"'), 'not a statement that'],
    ['with a time that is none', stated(ran({ endedAt: 'tomorrow' })), 'not a statement that'],
    ['with no subject', altered('"run.json"', '"other.json"'), 'not a statement that'],
    [
      'with 17 signatures',
      changed({ signatures: Array.from({ length: 17 }, () => signature) }),
      'more than 16 signatures',
    ],
    ['larger than any', `${text(whole)}${' '.repeat(300_000)}`, 'larger than 262144 bytes'],
    ['nested deeply', '['.repeat(100_000), 'not a signed statement'],
    ['empty', '', 'not a signed statement'],
    [
      'beside another run',
      { 'x/statement.dsse.json': stated(), 'x/run.json': '{}' },
      'another run than the one beside it',
    ],
    [
      'beside another manifest',
      { 'x/statement.dsse.json': stated(), 'x/manifest.json': '{}' },
      'another run than the one beside it',
    ],
  ])('%s', async ([, forged, why]) => {
    const files = typeof forged === 'string' ? { 'x/statement.dsse.json': forged } : forged
    const alone = await decided(folderOf(files))
    const answers = [
      stated(ran({ endedAt: hoursAgo(2) })),
      stated({ ...failing, ...ran({ endedAt: hoursAgo(2) }) }),
    ]
    const beside = await Promise.all(answers.map((one) => decided(folderOf({ ...files, ...all(one) }))))

    expect(alone).toEqual({ code: 3, out: expect.stringContaining(why), err: '' })
    expect(beside.map(({ code }) => code)).toEqual([0, 1])
  })

  test('a manifest of something else does not hide a failure below it', async () => {
    const folder = folderOf({ 'manifest.json': '{}', ...all(stated({ ...failing })) })

    expect(await decided(folder)).toMatchObject({ code: 1 })
  })

  test.for<[string, string, string]>([
    ['another run.json', 'run.json', '{}'],
    ['another manifest.json', 'manifest.json', '{}'],
    ['a folder manifest.json', 'manifest.json/x', ''],
  ])('%s does not hide the failure beside it', async ([, name, contents]) => {
    const before = stated(ran({ endedAt: hoursAgo(2) }))
    const folder = folderOf({
      'a/statement.dsse.json': before,
      'b/statement.dsse.json': stated(failing),
      [`b/${name}`]: contents,
    })

    expect(await decided(folder)).toMatchObject({ code: 1, out: expect.stringContaining('nonconformant') })
  })

  test('a link to a good one', async () => {
    const folder = folderOf({ 'x/other.txt': '' })
    symlinkSync(join(folderOf(all(stated())), '0/statement.dsse.json'), join(folder, 'x/statement.dsse.json'))

    expect(await decided(folder)).toMatchObject({ code: 3 })
  })

  test('further signatures neither help nor harm', async () => {
    const other = envelope(payloadText(), undefined, stranger).signatures[0]
    const many = changed({ signatures: [{ sig: 'AAAA' }, other, signature] })

    expect(await decided(folderOf(all(many)))).toMatchObject({ code: 0 })
  })
})

test('--json names the statement that decided, and why others did not count', async () => {
  const folder = folderOf(all(stated(), stated({}, stranger)))
  const required = `target=acme,version=4.2.1,signer=${at('release.pem')}`
  const { out } = await run(['verify', folder, '--require', required, '--json'])

  expect(JSON.parse(out)).toMatchObject({
    passed: true,
    exitCode: 0,
    decidedBy: { file: join(folder, '0/statement.dsse.json'), conformance: 'conformant' },
    notCounted: [{ file: join(folder, '1/statement.dsse.json'), why: 'not signed by a given key' }],
  })
})

test('statements of several folders count', async () => {
  const folders = [stated(ran({ endedAt: hoursAgo(2) })), stated(failing)].map((one) => folderOf(all(one)))
  const required = ['target=acme', 'version=4.2.1', `signer=${at('release.pem')}`]
  const options = required.flatMap((one) => ['--require', one])

  expect(await run(['verify', ...folders, ...options])).toMatchObject({ code: 1 })
})

test.for<[string, readonly string[], string]>([
  ['no signer', ['target=a,version=1'], 'signer=FILE'],
  ['an empty value', ['target=,version=1,signer=x'], 'give NAME=VALUE'],
  ['another age', [' whole', 'max-age=2 weeks'], 'such as 90m, 36h or 14d'],
  ['an older clause set', [' whole', 'clause-set=2026-10'], 'there is no clause set 2026-10'],
  ['an unknown clause set', [' whole', 'clause-set=newest'], 'clause set newest: not found'],
  ['a kind that is no service', [' whole', 'kind=simulator'], 'give one of staging, production'],
  ['an unknown name', [' whole', 'max-agee=1d'], 'did you mean max-age?'],
  ['a name without a value', [' whole', 'partial'], 'give NAME=VALUE'],
  ['a target twice', [' whole', 'target=other'], 'it is given twice'],
  ['a private key', ['target=a,version=1,signer=/nonexistent'], '--require signer=/nonexistent'],
])('%s is wrong usage', async ([, required, words]) => {
  const whole = `target=acme,version=4.2.1,signer=${at('release.pem')}`
  const options = required.flatMap((one) => ['--require', one === ' whole' ? whole : one])
  const { code, out, err } = await run(['verify', root, ...options])

  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toContain(words)
})

test.for<[readonly string[], string]>([
  [['/nonexistent'], '/nonexistent cannot be read (there is no such file or folder)'],
  [['.', '--rejudge'], 'cannot be used with'],
])('%s is refused beside --require', async ([argv, words]) => {
  const required = `target=acme,version=4.2.1,signer=${at('release.pem')}`
  const { code, err } = await run(['verify', ...argv, '--require', required])

  expect(code).toBe(2)
  expect(err).toContain(words)
})
