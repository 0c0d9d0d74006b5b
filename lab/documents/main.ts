/**
 * `npm run lab -- documents`: lints the bundled OpenAPI and AsyncAPI documents with spectral and the AsyncAPI parser,
 * which bring so many packages that they are installed for the run alone (decision 29).
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const documents = join(import.meta.dirname, '../../spec/bundled')
const folder = mkdtempSync(join(tmpdir(), 'touchstone-linters-'))

/** Whether the command ended with 0. */
function run(command: string, words: readonly string[]): boolean {
  const { status, error } = spawnSync(command, words, { cwd: folder, stdio: 'inherit' })
  if (error) throw error
  return status === 0
}

try {
  cpSync(join(import.meta.dirname, 'linters'), folder, { recursive: true })
  const isClean =
    run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel', 'error']) &&
    run(process.execPath, ['lint.js', documents])
  if (!isClean) process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
