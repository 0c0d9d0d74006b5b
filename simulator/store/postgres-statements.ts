/**
 * The statements of a store in PostgreSQL. Each is one statement, and so one transaction and one round trip. Moments are
 * those of the database, so that replicas need not agree about the time.
 *
 * A row that somebody else changed while a statement waited for it is looked at once more, but what was joined to it is
 * not: so whatever depends on the lease of an owner is held to the epoch that it was seen with.
 */

/** `$n`: milliseconds. */
const ms = (parameter: string): string => `${parameter} * interval '1 millisecond'`

const lease = 'here.replicas r where r.id = t.owner and r.lease_until > clock_timestamp()'

/** A commit whose answer was lost may still be under way when the next one is written: it comes too late then. */
const writer = `writer as (
        insert into here.replicas as r (id, address, lease_until, run, step) values ($1, '', '-infinity', $2, $3)
        on conflict (id) do update set run = excluded.run, step = excluded.step
        where (r.run, r.step) < (excluded.run, excluded.step) returning id)`
const due = `due as (
        update here.tenants t set due_at = held.due_at from held
        where t.id = held.id and t.due_at is distinct from held.due_at)`
const replacing = 'on conflict (tenant, kind, id) do update set place = excluded.place, body = excluded.body'

/** `here` is the schema. */
const texts = {
  version: `select current_setting('server_encoding') as encoding, to_regclass('here.version') is not null as known`,
  run: `select nextval('here.runs')::float8 as run`,

  // What it was before, and what it is now.
  renew: `with renewed as (
        insert into here.replicas (id, address, lease_until) values ($1, $2, clock_timestamp() + ${ms('$3')})
        on conflict (id) do update set address = excluded.address, lease_until = excluded.lease_until)
      select id from here.replicas where id = $1 and lease_until > clock_timestamp()`,
  leave: `update here.replicas set lease_until = '-infinity' where id = $1`,

  found: `with made as (
        insert into here.tenants (id, seed, options, owner, epoch, used_at)
        values ($1, $2, $3, $4, 1, clock_timestamp()))
      insert into here.tokens (digest, tenant) select digest, $1 from unnest($5::text[]) as given (digest)`,
  tenantOf: `select tenant from here.tokens where digest = $1`,
  tenants: `select id from here.tenants order by number`,

  claim: `with seen as (
        select t.id, t.epoch, r.id as holder, r.address from here.tenants t
        left join here.replicas r on r.id = t.owner and r.id <> $2 and r.lease_until > clock_timestamp()
        where t.id = $1),
      taken as (
        update here.tenants t set owner = $2, epoch = t.epoch + 1, used_at = clock_timestamp() from seen
        where t.id = seen.id and t.epoch = seen.epoch and seen.holder is null
        returning t.id, t.seed, t.options, t.epoch)
      select seen.holder, seen.address, taken.id, taken.seed, taken.options, taken.epoch from seen left join taken using (id)`,

  claimDue: `with seen as (
        select t.id, t.epoch from here.tenants t
        where t.due_at <= clock_timestamp() and t.id <> all ($3::text[])
          and not exists (select from ${lease} and r.id <> $1)
        order by t.due_at),
      free as (
        select t.id from here.tenants t join seen on t.id = seen.id and t.epoch = seen.epoch
        limit $2 for no key update of t skip locked)
      update here.tenants t set owner = $1, epoch = t.epoch + 1, used_at = clock_timestamp() from free
      where t.id = free.id returning t.id, t.seed, t.options, t.epoch`,

  documents: `select kind, id, place, body from here.documents where tenant = $1 order by kind, place`,

  commit: `with ${writer},
      held as (
        select t.id, clock_timestamp() + ${ms('given.due_in')} as due_at from here.tenants t
        join unnest($4::text[], $5::integer[], $6::float8[]) as given (id, epoch, due_in) on t.id = given.id
        where t.owner = $1 and t.epoch = given.epoch and exists (select from writer)
        order by t.id for no key update of t),
      ${due},
      put as (
        insert into here.documents (tenant, kind, id, place, body)
        select given.* from unnest($7::text[], $8::text[], $9::text[], $10::float8[], $11::text[])
          as given (tenant, kind, id, place, body) join held on held.id = given.tenant
        ${replacing}),
      gone as (
        delete from here.documents d using held, unnest($12::text[], $13::text[], $14::text[]) as given (tenant, kind, id)
        where held.id = given.tenant and d.tenant = given.tenant and d.kind = given.kind and d.id = given.id)
      select id from held`,

  // Of one tenant that removes nothing, as most are: with no list to join, it takes a quarter less of the server.
  commitOne: `with ${writer},
      held as (
        select t.id, clock_timestamp() + ${ms('$6::float8')} as due_at from here.tenants t
        where t.id = $4 and t.owner = $1 and t.epoch = $5 and exists (select from writer)
        for no key update of t),
      ${due},
      put as (
        insert into here.documents (tenant, kind, id, place, body)
        select held.id, given.* from held, unnest($7::text[], $8::text[], $9::float8[], $10::text[])
          as given (kind, id, place, body)
        ${replacing})
      select id from held`,

  release: `update here.tenants
      set owner = null, due_at = clock_timestamp() + ${ms('$4::float8')}, used_at = clock_timestamp()
      where id = $2 and owner = $1 and epoch = $3`,
  remove: `delete from here.tenants where id = $2 and owner = $1 and epoch = $3`,

  prune: `with old as (
        select t.id, t.epoch from here.tenants t
        where t.used_at <= clock_timestamp() - ${ms('$1::float8')} and not exists (
          select from here.replicas r
          where r.id = t.owner and (r.lease_until > clock_timestamp() or r.lease_until > clock_timestamp() - ${ms('$1::float8')}))
        limit $2)
      delete from here.tenants t using old where t.id = old.id and t.epoch = old.epoch returning t.id`,
  forget: `delete from here.replicas r where r.lease_until <= clock_timestamp() - interval '1 day'
      and not exists (select from here.tenants t where t.owner = r.id)`,
} as const satisfies Record<string, string>

export type PostgresStatement = keyof typeof texts
/** Prepared once for each connection, under its name: to plan a commit takes longer than to do it. */
export interface PreparedStatement {
  readonly name: string
  readonly text: string
}

export type PostgresStatements = Readonly<Record<PostgresStatement, PreparedStatement>>

/** `schema`: its name, quoted. */
export function postgresStatements(schema: string): PostgresStatements {
  const entries = Object.entries(texts).map(([name, text]) => [name, { name, text: inSchema(text, schema) }])
  return Object.fromEntries(entries) as PostgresStatements
}

export const inSchema = (text: string, schema: string): string => text.replaceAll('here.', `${schema}.`)
