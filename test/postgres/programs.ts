/** Where this machine has PostgreSQL, and as whom it may run: it refuses to run as root. */
import { spawnSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Debian keeps the programs of each version apart, and out of the path. */
const folders = [
  ...globSync('/usr/lib/postgresql/*/bin').toSorted((one, other) => newest(other) - newest(one)),
  ...(process.env['PATH'] ?? '').split(delimiter),
]

/** The folder of `initdb` and `postgres`; undefined: this machine has none. */
export const programs = folders.find((folder) => existsSync(join(folder, 'initdb')))

if (!programs)
  console.warn('skipped: the tests of the PostgreSQL store need PostgreSQL, which is not on this machine')

export interface User {
  uid: number
  gid: number
}

/** Undefined: whoever runs the test. Throws where root finds nobody who may run it. */
export function serverUser(): User | undefined {
  if (process.getuid?.() !== 0) return undefined
  for (const name of ['postgres', 'nobody']) {
    const [uid, gid] = ['-u', '-g'].map((of) => spawnSync('id', [of, name], { encoding: 'utf8' }))
    if (uid?.status === 0 && gid?.status === 0) return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
  }
  throw new Error('PostgreSQL does not run as root, and there is neither a user postgres nor a user nobody')
}

function newest(folder: string): number {
  return Number(/\d+/.exec(folder)?.[0] ?? 0)
}
