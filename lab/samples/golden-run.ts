/**
 * Writes test/golden-run: the record of a small run, with passes and a failure, that later versions must still read.
 * Only what a run is read back from: every report follows from that.
 */
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { basisFile, journalFile, planFile, recordFile } from '../../bundle/names.ts'

const golden = 'test/golden-run'
const selection = ['--can', 'chat', '--only', 'client-chat/*', '--seed', '1']
const client = ['node', 'lab/samples/golden-client.ts']

const out = mkdtempSync(join(tmpdir(), 'touchstone-golden-'))
try {
  const words = ['client', ...selection, '--name', 'golden', '--quiet', '--out', out, '--', ...client]
  const { status, stdout, stderr } = spawnSync(process.execPath, ['cli/bin.ts', ...words], {
    encoding: 'utf8',
  })
  if (status !== 1)
    throw new Error(`touchstone ${words.join(' ')} ended with ${status}, not 1:\n${stdout}${stderr}`)
  mkdirSync(golden, { recursive: true })
  for (const file of [planFile, basisFile, journalFile, recordFile])
    copyFileSync(join(out, file), join(golden, file))
} finally {
  rmSync(out, { recursive: true, force: true })
}
console.log(golden)
