/**
 * `npm run lab -- crash`: kills a simulator again and again under load, and holds what its clients know against what it
 * says afterwards. `--store file` (default) or `postgres`, which starts a server of its own; `--replicas` over it
 * stand behind nginx. `--clients` send for up to `--load`
 * ms between two kills. `--profile`: of the suite that judges it at the end.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startBalancer, type Balancer } from '../../test/cluster/balancer.ts'
import { oneOf, optionsOf, whole } from '../../test/options.ts'
import { startPostgres } from '../../test/postgres/server.ts'
import { conforms } from './conforms.ts'
import { crash, type CrashOptions } from './crash.ts'

const { values } = optionsOf({
  options: {
    store: { type: 'string', default: 'file' },
    kills: { type: 'string', default: '50' },
    replicas: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    clients: { type: 'string', default: '12' },
    load: { type: 'string', default: '400' },
    profile: { type: 'string', default: 'standard' },
  },
})
const kind = oneOf('--store', values.store, ['file', 'postgres'] as const)
const profile = oneOf('--profile', values.profile, ['smoke', 'standard'] as const)
const replicas = whole('replicas', values.replicas)
const folder = mkdtempSync(join(tmpdir(), 'touchstone-crash-'))
const postgres = kind === 'postgres' ? await startPostgres({ fsync: true }) : null
let balancer: Balancer | undefined
const front: NonNullable<CrashOptions['front']> = async (urls) => {
  balancer = await startBalancer(urls)
  return balancer.url
}
try {
  const outcome = await crash({
    store: postgres?.url ?? `file:${join(folder, 'crash.db')}`,
    kills: whole('kills', values.kills),
    seed: values.seed,
    replicas,
    clients: whole('clients', values.clients),
    loadMs: whole('load', values.load),
    ...(replicas > 1 && { front }),
    afterwards: (urls) => conforms(urls, profile),
  })
  const { broken, ...figures } = outcome
  for (const line of broken) console.log(`BROKEN: ${line}`)
  console.log(JSON.stringify({ store: kind, replicas, kills: Number(values.kills), ...figures }))
  process.exitCode = broken.length === 0 ? 0 : 1
} finally {
  await balancer?.[Symbol.asyncDispose]()
  await postgres?.stop()
  rmSync(folder, { recursive: true, force: true })
}
