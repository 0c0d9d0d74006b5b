/** A part of `npm run package:check`: packs the package and lints it with publint. */
import { readFileSync } from 'node:fs'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { packCopy } from './package/pack-copy.ts'

const { buffer } = new Uint8Array(readFileSync(packCopy()))
const { messages, pkg } = await publint({ pack: { tarball: buffer }, strict: true })
for (const message of messages) console.error(formatMessage(message, pkg))
console.log(`publint: ${messages.length} problems`)
if (messages.length > 0) process.exitCode = 1
