/** What tests of every room take from the machine, and give back. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

/** Returns the path of a new folder, which is deleted after the tests of the file; with `onTestFinished` after a test. */
export function temporaryFolder(after: (remove: () => void) => void = afterAll): string {
  const path = mkdtempSync(join(tmpdir(), 'touchstone-'))
  after(() => rmSync(path, { recursive: true, force: true }))
  return path
}
