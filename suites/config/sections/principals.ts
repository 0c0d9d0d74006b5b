/** The API keys, each with what it can do. */
import { complain, named, headerValueAt, type Reading } from '../file/reading.ts'
import type { Principal } from '../target.ts'
import type { TargetFile, WrittenPrincipal } from '../file/written.ts'

/** `ids`: agent ids by name. */
export function principalsIn(
  file: TargetFile,
  ids: Readonly<Record<string, string>>,
  reading: Reading,
): readonly Principal[] {
  const principals = Object.entries(file.principals).map(([name, written]) =>
    principal(name, written, ids, reading),
  )
  distinct(principals, reading)
  return principals
}

function principal(
  name: string,
  written: WrittenPrincipal,
  ids: Readonly<Record<string, string>>,
  reading: Reading,
): Principal {
  const { scopes, agents = '*', account = 'main', sacrificial = false, revoked = false, pool } = written
  const own = ['principals', name] as const
  if (sacrificial && revoked)
    complain(own, 'is sacrificial and revoked, and a revoked key has no rate; take one out', reading)
  return {
    name,
    bearer: headerValueAt(written.bearer, [...own, 'bearer'], reading),
    ...(/^(env|file):/.test(written.bearer) ? { source: written.bearer } : {}),
    scopes,
    agents:
      agents === '*' ? agents : agents.map((agent, i) => named(agent, ids, [...own, 'agents', i], reading)),
    account,
    sacrificial,
    ...(revoked ? { revoked } : {}),
    ...(pool ? { pool: pool.map((key, i) => headerValueAt(key, [...own, 'pool', i], reading)) } : {}),
  }
}

/** Two principals with one key would be held for two callers, each with a rate and rights of its own. */
function distinct(principals: readonly Principal[], reading: Reading): void {
  const owners = new Map<string, string>()
  for (const { name, bearer, pool = [] } of principals)
    [bearer, ...pool].forEach((key, i) => {
      const path = ['principals', name, ...(i === 0 ? ['bearer'] : ['pool', i - 1])]
      const owner = owners.get(key)
      if (key !== '' && owner !== undefined)
        complain(path, `is the same key as ${owner}; give another, or take one out`, reading)
      else owners.set(key, path.join('.'))
    })
}
