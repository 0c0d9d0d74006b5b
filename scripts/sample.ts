/**
 * Writes reports/sample: what a run leaves, for a reader who has none yet. Signed with a key of its own, of which
 * only the public half is kept; the second run tells what changed since the first.
 */
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sampleFolder, sampleKey, sampleRuns } from './sample/runs.ts'

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
