import { expect, test } from 'vitest'
import { contractIdentifiers, identifiersOf } from '../../spec/identifiers.ts'
import type { Finding } from '../../bundle/record.ts'
import { finding, runOf } from '../testing/run.testkit.ts'
import { compare } from './compare.ts'
import { renderDiff } from './document.ts'

const plain = { colour: false, width: 100 }
const broken = (over: Partial<Finding> = {}): Finding =>
  finding({ verdict: 'fail', scenario: 'one', expected: 'status 409', got: 'status 200', ...over })
const passed = (scenario = 'one'): Finding => finding({ verdict: 'pass', scenario })

const simulator = { name: 'ours', kind: 'simulator', baseUrl: 'http://127.0.0.1:1' } as const
const smoke = { run: { ...runOf([]).record.run, profile: 'smoke' } } as const
const regression = compare(runOf([passed()], smoke), runOf([broken()], { target: simulator }), {
  files: new Set(['counterexamples/idempotency-one-IDEM-REPLAY-HEADER/repro.sh']),
  ends: { after: 'line 7 is cut' },
})
const forms = ['text', 'markdown', 'html', 'json'] as const

test.for(forms)(
  '%s says check, verdicts, the difference, where to look, and whether to believe it',
  (form) => {
    const reported = renderDiff(regression, form, plain)
    for (const words of [
      'idempotency/one/IDEM-REPLAY-HEADER',
      'status 409',
      'status 200',
      'regressed',
      'must',
      'counterexamples/idempotency-one-IDEM-REPLAY-HEADER',
      'line 7 is cut',
      'another part of the suite was chosen',
    ])
      expect(reported).toContain(words)
    expect(reported).toMatch(/✓ pass → ✗ fail|"before": \{/)
    expect(reported.replaceAll(/\s+/g, ' ')).toContain(regression.after.result)
    expect(reported.includes('It says nothing about the live service.')).toBe(/html|markdown/.test(form))
  },
)

test.for(['text', 'markdown', 'html'] as const)('%s says in one line that nothing changed', (form) => {
  expect(renderDiff(compare(runOf([passed()]), runOf([passed()])), form, plain)).toContain('nothing changed')
})

test.for(forms)('%s has the identifiers of the service where both runs have the same', (form) => {
  const of = (vendor: string, one: Finding) =>
    runOf([one], {
      target: {
        name: 'a',
        kind: 'staging',
        baseUrl: 'https://a.example',
        identifiers: identifiersOf(vendor),
      },
    })
  const reported = renderDiff(compare(of('acme', passed()), of('acme', broken())), form, plain)
  expect(reported).toContain('X-Acme-Idempotent-Replay')
  expect(reported).not.toContain(contractIdentifiers.replayHeader)
  const { changes } = compare(of('acme', passed()), of('other', broken()))
  expect(changes[0]?.about).toContain(contractIdentifiers.replayHeader)
})

test('the terminal leads with the answer and the counts, and colours repeat them', () => {
  const [first] = renderDiff(regression, 'text', plain).split('\n')
  expect(first).toBe('✗ something got worse  1 regressed; 0 as before')
  expect(renderDiff(regression, 'text', { colour: true, width: 100 })).toContain('\u001b[31m✗ something got')
})

test('what the policy accepts is not called as good as nothing', () => {
  const waived = { as: 'known-failure', owner: 'ada', reason: 'later', expires: '2030-01-31' } as const
  const failed = broken({ waived })
  const open = finding({ verdict: 'inconclusive', scenario: 'two', follows: failed.check })
  const [first] = renderDiff(
    compare(runOf([passed(), passed('two'), passed('three')]), runOf([failed, open, passed('three')])),
    'text',
    { ...plain, width: 200 },
  ).split('\n')
  expect(first).toBe(
    '✓ nothing that counts got worse  1 regressed and 1 coverage lost are accepted by the policy; 1 as before',
  )
})
