/** `npm run package:check`: packs the package and lints it with publint. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { packCopy } from './package/pack-copy.ts'

const folder = mkdtempSync(join(tmpdir(), 'touchstone-package-'))
try {
  const { buffer } = new Uint8Array(readFileSync(packCopy(folder)))
  const { messages, pkg } = await publint({ pack: { tarball: buffer }, strict: true })
  for (const message of messages) console.error(formatMessage(message, pkg))
  console.log(`publint: ${messages.length} problems`)
  if (messages.length > 0) process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
