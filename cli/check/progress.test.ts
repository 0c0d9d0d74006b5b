import { describe, expect, it } from 'vitest'
import type { Progress } from '../../suites/runner/progress.ts'
import { testIo } from '../process.testkit.ts'
import { createReporter } from './progress.ts'

const planned = { is: 'planned', planned: { scenarios: Array.from({ length: 20 }) } } as unknown as Progress
const scenario = (at: number): Progress => ({
  is: 'scenario',
  scenario: `idempotency/s${at}`,
  title: '',
  at,
  of: 20,
})
const spent: Progress = { is: 'spent', used: { requests: 9, turns: 4, credits: 4, wallSeconds: 1 } }

/** A reporter on a clock that the test moves. */
function reporter(live: boolean) {
  let now = 0
  const io = testIo({ live, now: () => now, width: 60 })
  return { io, at: (time: number) => (now = time), report: createReporter(io, false) }
}

describe('progress', () => {
  it('is a line every few seconds where stderr is no terminal', () => {
    const { io, at, report } = reporter(false)
    report.on(planned)
    for (let step = 1; step <= 20; step++) {
      at(step * 1_000)
      for (const event of [scenario(step), spent]) report.on(event)
    }
    const lines = io.printed.err.trimEnd().split('\n')

    expect(lines).toHaveLength(5)
    expect(lines[2]).toMatch(
      /^\[10\/20\] idempotency\/s10: 9 requests, 4 credits, 0 failed, about \d+ s left$/,
    )
    expect(io.printed.err).not.toContain('\u001b')
  })

  it('rewrites one line in a terminal, within its width, and clears it at the end', () => {
    const { io, at, report } = reporter(true)
    report.on(planned)
    at(1_000)
    report.on(scenario(1))
    report.end()
    const shown = io.printed.err.split('\r\u001b[K')

    expect(io.printed.err).not.toContain('\n')
    expect(shown.at(-1)).toBe('')
    expect(shown.every((line) => line.length < 60)).toBe(true)
  })

  it('says for what it waits', () => {
    const { io, at, report } = reporter(false)
    report.on(planned)
    at(9_000)
    report.on({ ...spent, waiting: { principal: 'main', ms: 14_200 } })

    expect(io.printed.err).toContain('waiting 15 s for the rate limit of main')
  })
})
