import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ResourceLimits } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { main } from '../main.ts'
import type { Io } from '../io.ts'
import { processIo } from '../process-io.ts'
import { asksForBound, runBounded } from './start.ts'

/** What a command printed, and its exit code. */
async function printedBy(
  run: (argv: readonly string[], io: Io) => Promise<number | null>,
  argv: readonly string[],
) {
  let [out, err] = ['', '']
  const io: Io = {
    ...processIo(),
    colour: false,
    width: 80,
    out: (text) => void (out += text),
    err: (text) => void (err += text),
  }
  return { code: await run(argv, io), out, err }
}

const program = [join(import.meta.dirname, '../bin.ts'), '__thread'] as const
const bounded = (argv: readonly string[], io: Io, limits?: ResourceLimits) =>
  runBounded(program, argv, io, limits)

test.for<[string, readonly string[]]>([
  ['a run', ['verify', 'test/golden-run']],
  ['no run', ['verify', 'test/no-run']],
  ['no option', ['rejudge', 'test/golden-run', '--none']],
])('a command in a thread with a bound does as it does without: %s', async ([, argv]) => {
  expect(await printedBy(bounded, argv)).toEqual(await printedBy(main, argv))
})

test.for([
  ['a long run', 9_000_000, ['--key', 'key.pem', 'FOLDER'], true],
  ['a short run', 1_000, ['FOLDER'], false],
  ['what no file can be named', 1_000, ['a'.repeat(5_000)], false],
] as const)('a thread is for a long run only: %s', ([, size, words, expected]) => {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-bounded-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const journal = join(folder, 'journal.ndjson')
  writeFileSync(journal, '')
  truncateSync(journal, size)
  expect(asksForBound(words.map((word) => word.replace('FOLDER', folder)))).toBe(expected)
})

test('a command that needs more memory prints nothing, to be run without a bound', async () => {
  const small = { maxOldGenerationSizeMb: 10, maxYoungGenerationSizeMb: 1 }
  const argv = ['verify', 'test/golden-run', '--rejudge']
  expect(await printedBy((words, io) => bounded(words, io, small), argv)).toEqual({
    code: null,
    out: '',
    err: '',
  })
})
