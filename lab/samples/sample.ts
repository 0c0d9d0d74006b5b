/**
 * Writes touchstone-sample/, which git ignores: whole run bundles for a reader, such as for a release. Signed with a
 * key of its own, of which only the public half is kept; the report of the second run shows what changed since the first.
 */
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const sampleFolder = 'touchstone-sample'
const sampleKey = join(sampleFolder, 'key.pub.pem')

const run = ['check', 'simulator', '--profile', 'smoke', '--seed', '1', '--quiet']
const faults = ['replay-unmarked', 'done-without-credits', 'third-attempt-of-another-id']

/** The folder of each run, and the arguments that make it. */
const sampleRuns: readonly { name: string; words: readonly string[]; exitCode: number }[] = [
  { name: 'conformant', words: run, exitCode: 0 },
  { name: 'faulty', words: [...run, ...faults.flatMap((fault) => ['--fault', fault])], exitCode: 1 },
]

function touchstone(words: readonly string[], exitCode: number): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['cli/bin.ts', ...words], {
    encoding: 'utf8',
  })
  if (status === exitCode) return
  throw new Error(`touchstone ${words.join(' ')} ended with ${status}, not ${exitCode}:\n${stdout}${stderr}`)
}

const keys = mkdtempSync(join(tmpdir(), 'touchstone-sample-'))
try {
  rmSync(sampleFolder, { recursive: true, force: true })
  mkdirSync(sampleFolder)
  touchstone(['keygen', '--out', join(keys, 'key.pem')], 0)
  copyFileSync(join(keys, 'key.pub.pem'), sampleKey)
  const signed = ['--sign-key', `file:${join(keys, 'key.pem')}`]
  let since: readonly string[] = []
  for (const { name, words, exitCode } of sampleRuns) {
    const out = join(sampleFolder, name)
    touchstone([...words, ...signed, ...since, '--out', out], exitCode)
    since = ['--since', out]
    console.log(out)
  }
} finally {
  rmSync(keys, { recursive: true, force: true })
}
