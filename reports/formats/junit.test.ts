import { describe, expect, it } from 'vitest'
import { junit } from './junit.ts'
import { everyVerdict, finding, runOf } from '../testing/run.testkit.ts'

const render = (...input: Parameters<typeof runOf>): string => String(junit.render(runOf(...input)))

// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const unwritable = /[\u0000-\u0008\u000b-\u001f\uffff]/

describe('junit.xml', () => {
  it('counts what it contains', () => {
    const xml = render(everyVerdict())

    expect(xml).toContain(
      '<testsuites name="Touchstone: staging" tests="9" failures="2" errors="1" time="7.250">',
    )
    expect(xml).toContain(
      '<testsuite name="idempotency" tests="8" failures="1" errors="1" skipped="4" timestamp="2026-11-01T12:00:00">',
    )
    const inside = ['<failure', '<error', '<skipped'].map((tag) => xml.split(tag).length - 1)
    expect(inside).toEqual([2, 1, 4])
    // A warning passes, and is shown all the same.
    expect(xml).toMatch(/<system-out>WARN.*\s+IDEM-/i)
  })

  it.each([0, 1, 3, 4, 5])('is red with exit code %i as the gate is', (exitCode) => {
    const gate = { passed: exitCode === 0, because: exitCode === 0 ? [] : ['a & b'], stalePolicy: [] }
    const xml = render([finding()], { exitCode, gate })

    expect(xml).toContain(`tests="2" failures="${exitCode === 0 ? 0 : 1}"`)
    const failure = `<failure message="exit code ${exitCode}: a &amp; b" type="gate">`
    expect(xml.includes(failure)).toBe(exitCode !== 0)
  })

  it('numbers cases apart that carry one name', () => {
    const xml = render([finding(), finding()])

    expect(xml).toContain('name="idempotency/replay-pass/IDEM-REPLAY-HEADER: ')
    expect(xml).toContain('name="idempotency/replay-pass/IDEM-REPLAY-HEADER (2): ')
  })

  it('shows how a client ended, and how to replay it', () => {
    const ended = { ended: 'exit', exitCode: 1, reported: [], stdout: '', stderr: 'no such host' }
    const failed = finding({
      verdict: 'fail',
      check: 'client-chat/turn/LIB-CHAT',
      scenario: 'client-chat/turn',
    })
    const xml = render([failed], {
      target: { name: 'app', kind: 'client', baseUrl: '' },
      scenarioRuns: [
        {
          scenario: 'client-chat/turn',
          notes: { 'step turn': JSON.stringify(ended) },
          ending: null,
          crash: null,
          states: [],
          stuck: [],
        },
      ],
    })

    expect(xml).toContain('client    turn: ended with exit code 1; stderr: no such host')
    expect(xml).toContain("reproduce  npx touchstone client --only 'client-chat/turn/LIB-CHAT'")
  })

  it('keeps hostile text from being markup or breaking the document', () => {
    const got = ']]></failure><testcase name="forged"/>&"\'\u001b[31m\u0000\ud800\uffff\n'
    const xml = render([finding({ verdict: 'fail', expected: 'x', got })])

    expect(xml.match(/<testcase/g)).toHaveLength(2)
    expect(xml).not.toMatch(unwritable)
    expect(xml.isWellFormed()).toBe(true)
    expect(xml).toContain(']]&gt;&lt;/failure&gt;')
    expect(xml).toContain('&quot;')
    expect(xml).toContain('\ufffd[31m\ufffd\ufffd\ufffd&#10;"')
  })
})
