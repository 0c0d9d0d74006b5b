import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { createSimulator, type FaultId } from '../../simulator/index.ts'
import { states } from '../../spec/index.ts'
import { basisFile } from '../../bundle/names.ts'
import type { RunRecord } from '../../bundle/record.ts'
import { run } from '../process.testkit.ts'
import { emptyPolicy } from '../../suites/policy/policy.ts'
import { temporaryFolder } from '../../spec/testing/machine.testkit.ts'

const root = temporaryFolder()
let count = 0

const fresh = (): string => join(root, `out-${++count}`)
const recordIn = (folder: string): RunRecord =>
  JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8')) as RunRecord

async function checkAuth() {
  const out = fresh()
  await run(['check', 'simulator', '--only', 'auth/*', '--quiet', '--out', out])
  return { out, record: recordIn(out) }
}

/** A target file for a simulator with this fault, in which no state can be had. */
async function targetOf(fault: FaultId | null, policy: string) {
  const simulator = await createSimulator(fault === null ? {} : { faults: [fault] })
  const { keys, agents } = simulator.tenant
  const file = join(root, 'target.yaml')
  const lines = [
    'apiVersion: touchstone/v1',
    'contract: 2026-11',
    `target: { name: acme, kind: staging, baseUrl: ${simulator.url} }`,
    'principals:',
    '  main: { bearer: "env:KEY", scopes: [chat, read_agents, billing_read] }',
    `agents: { plain: ${agents.plain} }`,
    'states:',
    ...Object.keys(states).map((state) => `  ${state}: { provide: none, why: not here }`),
    'budgets: { requestsPerMinute: 60 }',
    policy,
  ]
  writeFileSync(file, lines.join('\n'))
  const check = async (...only: string[]) => {
    const out = fresh()
    const argv = ['check', file, '--only', ...only, '--quiet', '--out', out]
    const result = await run(argv, { env: { KEY: keys.main } })
    await simulator.close()
    return { ...result, out, record: recordIn(out) }
  }
  return { check }
}

const day = (from: number): string => new Date(Date.now() + from * 86_400_000).toISOString().slice(0, 10)
const [created, expired, soon] = [day(-9), day(-2), day(30)] as const
const few = 'workflow/*,auth/*'
const written = (): string => join(root, 'baseline.yaml')

describe('touchstone baseline', () => {
  it('writes what lets the same run pass, and is stale once the fault is gone', async () => {
    const first = await (await targetOf('empty-key-crashes', '')).check(few)
    expect(first).toMatchObject({ code: 1, record: { conformance: 'nonconformant' } })

    const made = await run(['baseline', first.out, '--owner', 'ada', '--reason', 'later', '--out', written()])
    expect(made).toMatchObject({ code: 0, out: '' })
    expect(made.err).toMatch(
      /^The policy has 1 known failure, 0 flaky checks and \d+ entries for \d+ checks .* Known failures and flaky checks expire by \d{4}-/,
    )

    const again = await (await targetOf('empty-key-crashes', 'policy: baseline.yaml')).check(few)
    expect(again).toMatchObject({ code: 0, record: { conformance: 'nonconformant', gate: { passed: true } } })
    expect(again.record.findings.find(({ verdict }) => verdict === 'fail')?.waived).toMatchObject({
      as: 'known-failure',
      owner: 'ada',
      reason: 'later',
    })

    const fixed = await (await targetOf(null, 'policy: baseline.yaml')).check(few)
    expect(fixed).toMatchObject({ code: 5, record: { conformance: 'partial' } })
    expect(fixed.record.gate.because).toEqual([
      expect.stringMatching(
        /^baseline\.yaml:\d+: the known failure auth\/.* \(ada\) passes now; remove the entry$/,
      ),
    ])
  })

  it.each<[FaultId, part: string]>([
    ['replay-unmarked', '--profile smoke'],
    ['new-conversation-as-201', '--profile smoke'],
    ['credits-as-text', '--profile smoke'],
    ['created-id-as-number', '--only auth/* --only management/* --only delivery/test'],
  ])(
    'accepts what follows from the failures of %s, and is stale once they are fixed',
    async (fault, part) => {
      const check = async (...more: string[]) => {
        const out = fresh()
        const words = ['check', 'simulator', ...part.split(' '), '--quiet', '--out', out]
        const { code } = await run([...words, ...more])
        return { out, code, record: recordIn(out) }
      }
      const first = await check('--fault', fault)
      const inconclusive = first.record.findings.filter(({ follows }) => follows !== undefined)
      expect(inconclusive.length).toBeGreaterThan(0)
      await run(['baseline', first.out, '--owner', 'ada', '--reason', 'later', '--out', written()])

      expect((await check('--fault', fault, '--policy', written())).code).toBe(0)
      expect((await check('--policy', written())).code).toBe(5)
    },
  )

  it('keeps the comments of the policy that it replaces, and leaves out what was inconclusive', async () => {
    const { out, record } = await checkAuth()
    const [first] = record.findings
    const second = record.findings.find(({ scenario }) => scenario !== first?.scenario)
    const findings = [
      { ...first, verdict: 'not-exercised', reason: 'state-not-provided', detail: 'no key' },
      { ...second, verdict: 'inconclusive', detail: 'a 429' },
      ...record.findings.filter((one) => one !== first && one !== second),
    ]
    writeFileSync(join(out, 'run.json'), JSON.stringify({ ...record, findings }))
    const file = join(root, 'commented.yaml')
    expect(await run(['baseline', out, '--out', file])).toMatchObject({
      code: 0,
      err: expect.stringContaining(
        `1 inconclusive check is not accepted, so the gate stays red (exit 3): ${second?.check}. Run again`,
      ),
    })
    expect(readFileSync(file, 'utf8')).not.toContain(second?.check)
    const accept = ['baseline', out, '--out', file, '--include-inconclusive']
    expect((await run(accept)).code).toBe(0)
    const text = readFileSync(file, 'utf8')
    expect(parse(text)).toMatchObject({
      flaky: [],
      expectedNotExercised: [{ pattern: expect.any(String) }, { pattern: second?.check }],
    })
    writeFileSync(file, `# Ours.\n${text.replace('  - pattern:', '  # Until there is a key.\n  - pattern:')}`)

    const { code, err } = await run(accept)
    expect({ code, err }).toEqual({
      code: 0,
      err: expect.stringContaining('0 flaky checks and 2 entries for 2 checks that'),
    })
    const again = readFileSync(file, 'utf8')
    expect(again).toContain('  # Until there is a key.\n  - pattern:')
    expect(again).toContain('# Ours.\n')
    expect(again.match(/Written by/g)).toHaveLength(1)
  })

  it('leaves live entries of the file alone, and names those that it removes or renews', async () => {
    const { out, record } = await checkAuth()
    const [passing, failing] = record.findings.filter(({ level }) => level === 'must')
    const failed = { ...failing, verdict: 'fail', fingerprint: '0123456789ab', expected: 'a', got: 'b' }
    const findings = record.findings.map((one) => (one === failing ? failed : one))
    writeFileSync(join(out, 'run.json'), JSON.stringify({ ...record, findings }))
    const entry = (check = '', expires = '', fingerprint = '0123456789ab') =>
      `- { check: ${check}, fingerprint: "${fingerprint}", owner: bob, reason: known, created: ${created}, expires: ${expires} }`
    const file = join(root, 'live.yaml')
    const elsewhere = entry('idempotency-replay/json/IDEM-REPLAY-HEADER', soon)
    const lines = (...entries: string[]): void =>
      writeFileSync(file, ['knownFailures:', ...entries, ''].join('\n'))

    lines(elsewhere, entry(failing?.check, soon), entry(passing?.check, soon))
    const kept = await run(['baseline', out, '--owner', 'ada', '--reason', 'new', '--out', file])
    expect(kept).toMatchObject({ code: 0, err: expect.not.stringContaining('Add an owner') as string })
    expect(kept.err).toContain(`expire by ${soon}.\n${passing?.check} (bob) no longer fails: removed.\n`)
    const { knownFailures } = parse(readFileSync(file, 'utf8')) as { knownFailures: { owner: string }[] }
    expect(knownFailures.map(({ owner }) => owner)).toEqual(['bob', 'bob'])

    const fails = `${failing?.check} (bob)`
    for (const [gone, why] of [
      [entry(failing?.check, expired), `${fails} expired on ${expired}: accepted anew`],
      [entry(failing?.check, soon, 'ffffffffffff'), `${fails} fails in another way now: accepted anew`],
      [entry('auth/none/NONE', soon), 'auth/none/NONE (bob) is no check of this version: removed'],
    ] as const) {
      lines(gone)
      const { code, err } = await run(['baseline', out, '--owner', 'ada', '--out', file])
      expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining(`\n${why}.\n`) })
    }

    // What somebody moved or deleted in the file stays so, whatever the policy of the run was.
    lines(elsewhere, entry(failing?.check, soon))
    const policy = { ...emptyPolicy, ...(parse(readFileSync(file, 'utf8')) as object) }
    writeFileSync(join(out, basisFile), JSON.stringify({ policy }))
    writeFileSync(file, `flaky: [{ check: ${failing?.check}, owner: bob, reason: r, expires: ${soon} }]\n`)
    await run(['baseline', out, '--out', file])
    expect(parse(readFileSync(file, 'utf8'))).toMatchObject({ knownFailures: [], flaky: [{ owner: 'bob' }] })
  })

  it.each<[string, (record: RunRecord) => object | null, RegExp]>([
    [
      'that ended early',
      ({ run: one }) => ({ run: { ...one, lifecycle: 'interrupted' } }),
      /^error: the run \S+ ended early, so further failures are unknown: let a run finish/,
    ],
    [
      'that was cut off',
      () => null,
      /^error: \S+: the run was cut off before it wrote run\.json, so further failures are unknown/,
    ],
    [
      'in which the suite erred',
      ({ findings }) => ({ findings: findings.map((finding) => ({ ...finding, verdict: 'error' })) }),
      /^error: in the run \S+ the suite itself erred, which no policy can allow: auth\//,
    ],
    [
      'in which a declared state is not the case',
      ({ findings: [first, ...rest] }) => ({
        findings: [
          { ...first, verdict: 'not-exercised', reason: 'state-not-established', detail: 'it is untrue' },
          ...rest,
        ],
      }),
      /^error: no policy lets the run \S+ pass: it is untrue; required checks without a result.*\. Fix that, and run again\.\n$/,
    ],
    [
      'that is none',
      () => ({ schemaVersion: 2 }),
      /^error: \S+run\.json is no record of a run: name the folder/,
    ],
  ])('refuses a run %s', async (_, change, words) => {
    const { out, record } = await checkAuth()
    const changed = change(record)
    if (changed === null) rmSync(join(out, 'run.json'))
    else writeFileSync(join(out, 'run.json'), JSON.stringify({ ...record, ...changed }))
    const { code, err } = await run(['baseline', out])

    expect(code).toBe(2)
    expect(err).toMatch(words)
  })
})
