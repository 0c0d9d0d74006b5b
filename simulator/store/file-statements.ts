/** What a store in a file says to SQLite. Moments are milliseconds since 1970. */

/** A tenant whose owner has a lease is not free. */
const held = 'exists (select 1 from replicas where replicas.id = tenants.owner and lease_until > ?)'

export const fileStatements = {
  renew: `insert into replicas (id, address, lease_until) values (?, ?, ?)
    on conflict (id) do update set address = excluded.address, lease_until = excluded.lease_until`,
  lease: 'select 1 from replicas where id = ? and lease_until > ?',
  leave: 'delete from replicas where id = ?',

  known: 'select 1 from tenants where id = ?',
  found: `insert into tenants (id, number, seed, options, checksum, owner, epoch, used_at)
    values (?, (select coalesce(max(number), 0) + 1 from tenants), ?, ?, ?, ?, 1, ?)`,
  token: 'insert into tokens (digest, tenant) values (?, ?)',
  tenantOf: 'select tenant from tokens where digest = ?',
  tenants: 'select id from tenants order by number',

  holder: `select replicas.id as holder, replicas.address from tenants
    left join replicas on replicas.id = tenants.owner and lease_until > ? where tenants.id = ?`,
  due: `select id from tenants where due_at <= ? and id not in (select value from json_each(?))
    and (owner = ? or not ${held}) order by due_at limit ?`,
  take: `update tenants set owner = ?, epoch = epoch + 1, used_at = ? where id = ?
    returning seed, options, epoch`,

  kinds: 'select distinct kind from documents where tenant = ? order by kind',
  documents: 'select id, place, body from documents where tenant = ? and kind = ? order by place',

  'due-in': 'update tenants set due_at = ? where id = ? and owner = ? and epoch = ?',
  put: `insert into documents (tenant, kind, id, place, body, checksum) values (?, ?, ?, ?, ?, ?)
    on conflict (tenant, kind, id)
    do update set place = excluded.place, body = excluded.body, checksum = excluded.checksum`,
  delete: 'delete from documents where tenant = ? and kind = ? and id = ?',

  release: `update tenants set owner = null, due_at = ?, used_at = ? where id = ? and owner = ? and epoch = ?`,
  remove: 'delete from tenants where id = ? and owner = ? and epoch = ?',
  prune: `delete from tenants where not ${held} and used_at <= ?
    and not exists (select 1 from replicas where replicas.id = tenants.owner and lease_until > ?)`,
} as const satisfies Record<string, string>

export type FileStatement = keyof typeof fileStatements
