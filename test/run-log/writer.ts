/** Appends runs to a log as fast as it can: a process of its own, beside others that do the same. */
import { createPrivateKey, createPublicKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { keyIdOf, signerOf } from '../../reports/bundle/seal/envelope.ts'
import { openRunLog } from '../../reports/run-log/append.ts'
import { end, start } from '../../reports/run-log/log.testkit.ts'

const [file = '', keyFile = '', name = '', runs = ''] = process.argv.slice(2)
const key = createPrivateKey(readFileSync(keyFile))
const signer = signerOf(keyIdOf(createPublicKey(key)), key)
const log = openRunLog(file, { signer, now: () => new Date().toISOString() })
for (let number = 1; number <= Number(runs); number++) {
  log.append(`${name}-${number}`, start())
  log.append(`${name}-${number}`, end('conformant'))
}
