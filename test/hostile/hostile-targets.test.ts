/** Whatever a target answers, a run ends in time, with a whole report, and it is not an error of ours. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { run } from '../../cli/process.testkit.ts'
import { readRun } from '../../bundle/read-run.ts'
import type { RunRecord } from '../../bundle/record.ts'
import { wholeFile } from '../../suites/config/file/file.testkit.ts'
import { hostileModes, startHostileTarget, type HostileMode } from './target.ts'
import { temporaryFolder } from '../../spec/testing/machine.testkit.ts'

const root = temporaryFolder()

const key = 'sk-hostile-Zk3vTq9LmX2pRw7B'
const budgets = { responseBytes: 100_000, scenarioBytes: 250_000, runBytes: 400_000 }
/** Of targets that only time ends; the others are to need none of it. */
const slow: readonly HostileMode[] = ['dripping-body', 'dripping-stream', 'silent-body', 'silence']

/** Larger than what a response may have, where the mode has a size; smaller where it is the multiplication that harms. */
const sizes: Partial<Record<HostileMode, number>> = {
  'many-secrets': 20_000,
  'packed-text': 2 << 20,
  'many-packed-texts': 1 << 17,
  'gzip-bomb': 32 << 20,
  'many-headers': 900,
}

const scenarios = ['idempotency-replay/json/*', 'SSE-ONE-TERMINAL']

async function checked(mode: HostileMode) {
  const target = await startHostileTarget(mode, sizes[mode] ?? 150_000)
  const [file, out] = [join(root, `${mode}.yaml`), join(root, mode)]
  const text = wholeFile.replace('https://chat.example.test', target.url)
  const wallSeconds = slow.includes(mode) ? 1 : 60
  writeFileSync(file, `${text}\nbudgets: ${JSON.stringify({ ...budgets, wallSeconds })}\n`)
  try {
    const only = scenarios.flatMap((pattern) => ['--only', pattern])
    const ended = await run(['check', file, ...only, '--quiet', '--out', out], {
      env: { KEY: key, KEY_2: key },
    })
    return { ...ended, out }
  } finally {
    await target.close()
  }
}

describe('a hostile target', () => {
  test.each(hostileModes)('%s', async (mode) => {
    const { code, err, out } = await checked(mode)
    expect({ mode, code, err }).toMatchObject({ code: expect.toBeOneOf([0, 1, 3]) as number, err: '' })
    const record = JSON.parse(readFileSync(join(out, 'run.json'), 'utf8')) as RunRecord
    expect(record.findings.filter(({ verdict }) => verdict === 'error')).toEqual([])
    const { run: again } = readRun(out, { judge: never, ends: never })
    const bodies = again.journal.map(({ response }) =>
      (response?.chunks ?? []).reduce((sum, { bytes }) => sum + bytes.length, 0),
    )
    // A read may pass the cap.
    expect(Math.max(0, ...bodies)).toBeLessThan(budgets.responseBytes + 65_537)
    const { withheld = 0 } = record.redaction?.counts ?? {}
    expect(withheld > 0 || !mode.startsWith('key-')).toBe(true)
    expect(await run(['verify', out])).toMatchObject({ code: 0 })
  })
})

const never = (): never => {
  throw new Error('the run was cut off')
}
