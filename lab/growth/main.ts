/** `npm run lab -- growth`: a million keys over a week of a tenant's time, in memory or kept in a file, and what it takes. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { oneOf, optionsOf, whole } from '../../test/options.ts'
import { grow } from './growth.ts'

const { values } = optionsOf({
  options: { keys: { type: 'string', default: '1000000' }, store: { type: 'string', default: 'file' } },
})
// A heap is measured after a collection.
setFlagsFromString('--expose-gc')
globalThis.gc = runInNewContext('gc') as NodeJS.GCFunction

const kept = oneOf('--store', values.store, ['memory', 'file'] as const) === 'file'
const folder = mkdtempSync(join(tmpdir(), 'touchstone-growth-'))
const began = performance.now()
const { samples, dropped } = await grow({
  keys: whole('keys', values.keys),
  ...(kept && { file: join(folder, 'growth.db') }),
})
rmSync(folder, { recursive: true })
for (const { turns, keys, conversations, heapMiB, fileMiB } of samples)
  console.log(
    `${turns} turns: ${keys} keys, ${conversations} conversations, heap ${heapMiB.toFixed(0)} MiB` +
      (kept ? `, file ${fileMiB.toFixed(0)} MiB` : ''),
  )
console.log(`let go: ${JSON.stringify(dropped)}; ${((performance.now() - began) / 1000).toFixed(0)} s in all`)
