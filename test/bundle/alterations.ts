/** What somebody may do to a bundle, and every line of verify that does not hold then. */
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { SignedEnvelope } from '../../bundle/seal/envelope.ts'
import { planDigest } from '../../suites/runner/plan/plan.ts'
import type { Finding, Plan, RunRecord, Waiver } from '../../bundle/record.ts'
import type { Copy } from './sealed-run.ts'

type Broken = Readonly<Record<string, readonly string[]>>

export const failed = 'idempotency-replay/json/IDEM-REPLAY-HEADER'
const flaky: Waiver = { as: 'flaky', owner: 'me', reason: 'known', expires: '2030-01-01' }

type Findings = readonly Finding[]

const withFindings =
  (change: (findings: Findings) => Findings) =>
  (record: RunRecord): RunRecord => ({ ...record, findings: change(record.findings) })

const hidden = withFindings((findings) =>
  findings.map((finding): Finding => {
    const { expected: _, got: __, fingerprint: ___, ...rest } = finding
    return finding.check === failed ? { ...rest, verdict: 'pass' } : finding
  }),
)

export const passed = (record: RunRecord): RunRecord => ({
  ...hidden(record),
  conformance: 'partial',
  gate: { passed: true, because: [], stalePolicy: [] },
  exitCode: 0,
})

const lines = (text: string): string[] => text.split('\n')
const lineOf = (text: string, part: string): number => lines(text).findIndex((line) => line.includes(part))

const reports = ['junit.xml', 'ctrf.json', 'summary.md', 'report.html']
const otherwise = (...files: readonly string[]): readonly string[] =>
  files.map((file) => `${file}: is not what run.json and the journal give`)
const hash = '[0-9a-f]{64}'
const like = (pattern: string): string => expect.stringMatching(new RegExp(pattern)) as string
/** A journal that does not hold is not read any further. */
const unread = (pattern: string): Broken => ({ reports: [like(pattern)], verdicts: [like(pattern)] })
/** Whatever else does not hold: the record is not the one that was signed. */
const notSigned: Broken = {
  signature: ['its statement is about another run.json'],
  manifest: ['run.json: changed'],
}

/** What is done to a copy, and what does not hold then, with all that is said of it. */
export const alterations: Readonly<Record<string, readonly [(copy: Copy) => void, Broken]>> = {
  'a byte of a body is another': [
    (copy) => copy.change(copy.evidence(), (text) => `!${text.slice(1)}`),
    {
      manifest: [like(`^evidence/${hash}: changed$`)],
      journal: [like(`^evidence/${hash}: its bytes are not those that the journal names$`)],
      ...unread(`evidence/${hash} was altered`),
    },
  ],
  'its files have other line ends': [
    (copy) => {
      for (const file of ['journal.ndjson', 'run.json'])
        copy.change(file, (text) => text.replaceAll('\n', '\r\n'))
    },
    { manifest: ['2 files: line ends changed (git autocrlf?): keep `* -text` for run folders'] },
  ],
  'a byte of the journal is another': [
    (copy) => copy.change('journal.ndjson', (text) => text.replace('"status":200', '"status":201')),
    {
      manifest: ['journal.ndjson: changed'],
      journal: [
        like(
          '^line \\d+ does not continue line \\d+: one of them was changed, or lines between them are missing$',
        ),
      ],
      ...unread('not chained to the line before it'),
    },
  ],
  'a line of the journal is gone': [
    (copy) =>
      copy.change('journal.ndjson', (text) =>
        lines(text).toSpliced(lineOf(text, '"name":"again"'), 1).join('\n'),
      ),
    {
      manifest: ['journal.ndjson: changed'],
      journal: [
        like('^line (\\d+) has the number \\1, and \\d+ was to come$'),
        like('^line \\d+ does not continue line \\d+'),
        like('^it has \\d+ lines, and run.json says \\d+$'),
        like('^it has \\d+ exchanges, and its end says \\d+$'),
      ],
      evidence: expect.arrayContaining([like(`^${failed}: exchange \\d+ is not in the journal$`)]),
      ...unread('it is number \\d+ of the journal, not \\d+'),
    },
  ],
  'the end of the journal is gone': [
    (copy) => copy.change('journal.ndjson', (text) => `${lines(text).slice(0, -2).join('\n')}\n`),
    {
      manifest: ['journal.ndjson: changed'],
      journal: [
        like('^it has \\d+ lines, and run.json says \\d+$'),
        'its last line is not the one that run.json names',
        'it has no end',
      ],
      ...unread('it seals a journal of \\d+ lines'),
    },
  ],
  'a file is gone': [
    (copy) => copy.remove('junit.xml'),
    { manifest: ['junit.xml: removed'], reports: ['junit.xml: is not there'] },
  ],
  'a file was added': [
    (copy) => copy.write('more.txt', 'more'),
    { manifest: ['more.txt: added, or there before the run; it is not in the manifest'] },
  ],
  'a file was added, and the manifest taken away': [
    (copy) => {
      copy.remove('manifest.json')
      copy.write('more.txt', 'more')
    },
    { manifest: ['there is no manifest.json, and the files are not those that were signed'] },
  ],
  'a file became a link': [
    (copy) => {
      copy.remove('summary.md')
      symlinkSync('/etc/hostname', join(copy.path, 'summary.md'))
    },
    {
      files: ['summary.md: is a link, or nothing that can be read, and was not followed'],
      manifest: ['summary.md: changed, it is no plain file any more'],
      reports: otherwise('summary.md'),
    },
  ],
  'the manifest leads elsewhere': [
    (copy) =>
      copy.json('manifest.json', ({ files, ...rest }: { files: object[] }) => ({
        ...rest,
        files: [{ path: '../key.pem', size: 1, sha256: '0'.repeat(64) }, ...files],
      })),
    {
      signature: ['its statement is about another manifest.json'],
      manifest: ['../key.pem: removed'],
      schema: [like('^manifest.json/files/0/path is "../key.pem", which does not match')],
    },
  ],
  'a failure became a pass in the record': [
    (copy) => copy.json('run.json', hidden),
    {
      ...notSigned,
      answers: [
        'conformance is stated as nonconformant, and partial follows',
        'the gate is stated as false, and true follows',
        'the exit code is stated as 1, and 0 follows',
        'the reasons of the gate are not those that follow',
      ],
      reports: otherwise(...reports),
      verdicts: [`${failed}: is stated as pass, and the journal gives fail`],
    },
  ],
  'a failure became a pass, and answers and manifest fit it': [
    (copy) => {
      copy.json('run.json', passed)
      copy.seal()
    },
    {
      signature: [
        like(`^run.json names key id ${hash}, and there is no statement.dsse.json: it was taken away$`),
      ],
      reports: otherwise(...reports),
      verdicts: [`${failed}: is stated as pass, and the journal gives fail`],
    },
  ],
  'the gate was opened': [
    (copy) =>
      copy.json('run.json', (record: RunRecord) => ({ ...record, gate: { ...record.gate, passed: true } })),
    {
      ...notSigned,
      answers: ['the gate is stated as true, and false follows'],
      reports: otherwise('ctrf.json', 'summary.md', 'report.html'),
    },
  ],
  'a failure was waived that no policy speaks of': [
    (copy) =>
      copy.json('run.json', (record: RunRecord) => ({
        ...record,
        findings: record.findings.map((one) => (one.check === failed ? { ...one, waived: flaky } : one)),
      })),
    {
      ...notSigned,
      answers: [`${failed}: waived or counted otherwise than the policy says`],
      reports: otherwise(...reports),
    },
  ],
  'another policy lies beside it': [
    (copy) =>
      copy.json('judging.json', ({ policy, ...rest }: { policy: object }) => {
        const { as: _, ...entry } = flaky
        return { ...rest, policy: { ...policy, flaky: [{ check: failed, ...entry }] } }
      }),
    {
      manifest: ['judging.json: changed'],
      answers: [
        'the gate is stated as false, and true follows',
        'the exit code is stated as 1, and 0 follows',
        'the reasons of the gate are not those that follow',
        `${failed}: waived or counted otherwise than the policy says`,
      ],
    },
  ],
  'a check is no longer planned': [
    (copy) =>
      copy.json('plan.json', ({ plan, ...rest }: { plan: Plan }) => {
        const checks = plan.checks.filter(({ check }) => check !== failed)
        return { ...rest, plan: { ...plan, checks, digest: planDigest(checks.map(({ check }) => check)) } }
      }),
    {
      manifest: ['plan.json: changed'],
      plan: [
        `${failed}: neither planned nor said to be left out`,
        'run.json and plan.json differ in "plan"',
        `${failed}: a verdict that was not planned`,
      ],
      journal: ['line 1 is not chained to plan.json: one of them was altered'],
      ...unread('it belongs to another plan'),
    },
  ],
  'a finding is gone': [
    (copy) =>
      copy.json(
        'run.json',
        withFindings((all) => all.filter(({ check }) => check !== failed)),
      ),
    {
      ...notSigned,
      plan: [`${failed}: planned and without a verdict`],
      record: [like(': is not where it was planned$')],
      answers: [
        'conformance is stated as nonconformant, and partial follows',
        'the exit code is stated as 1, and 70 follows',
        'the reasons of the gate are not those that follow',
      ],
      reports: otherwise(...reports),
      verdicts: [`${failed}: the journal gives fail, and the record has no such check`],
    },
  ],
  'a pass rests on nothing': [
    (copy) =>
      copy.json(
        'run.json',
        withFindings(([first, ...rest]) => [{ ...first!, evidence: [] }, ...rest]),
      ),
    { ...notSigned, schema: [like('^run.json/findings/0/evidence is empty')] },
  ],
  'a pass rests on what never was': [
    (copy) =>
      copy.json(
        'run.json',
        withFindings(([first, ...rest]) => [{ ...first!, evidence: [9999] }, ...rest]),
      ),
    {
      ...notSigned,
      evidence: [like(': exchange 9999 is not in the journal$')],
      reports: otherwise('ctrf.json', 'report.html'),
      verdicts: [like(': evidence is stated otherwise than the journal gives it$')],
    },
  ],
  'a scenario went otherwise': [
    (copy) =>
      copy.json('run.json', ({ scenarioRuns: [first, ...rest], ...record }: RunRecord) => ({
        ...record,
        scenarioRuns: [{ ...first, notes: { ...first?.notes, more: 1 } }, ...rest],
      })),
    { ...notSigned, journal: [like('^run.json records the scenario .+ differently$')] },
  ],
  'somebody else signed it': [
    (copy) => copy.seal(copy.keys.other),
    { signature: [like(`^it is not a signature by key id ${hash} over this statement$`)] },
  ],
  'the signature is of another run': [
    (copy) => {
      copy.json('run.json', (record: RunRecord) => ({ ...record, run: { ...record.run, seed: 7 } }))
      copy.seal(copy.keys.own)
      for (const file of ['run.json', 'manifest.json']) copy.restore(file)
    },
    {
      signature: ['its statement is about another run.json', 'its statement is about another manifest.json'],
    },
  ],
  'what was signed says something else': [
    (copy) =>
      copy.json('statement.dsse.json', (envelope: SignedEnvelope) => {
        const payload = Buffer.from(envelope.payload, 'base64').toString()
        const better = payload.replace('"conformance":"nonconformant"', '"conformance":"conformant"')
        return { ...envelope, payload: Buffer.from(better).toString('base64') }
      }),
    {
      signature: [
        'its statement says something else of the run than run.json does',
        like(`^it is not a signature by key id ${hash} over this statement$`),
      ],
    },
  ],
  'the signature was taken away': [
    (copy) => copy.remove('statement.dsse.json'),
    { signature: [like(`^run.json names key id ${hash}, and there is no statement.dsse.json`)] },
  ],
}
