/** The tables of a store in a file, version by version: each text brings a file of the version before to the next. */

/** Marks a database as ours, so that no other is taken for one: the letters Tstn. */
export const applicationId = 0x5473746e

export const fileVersions: readonly string[] = [
  `create table tenants (
     id text primary key,
     number integer not null unique,
     seed text not null,
     options text not null,
     owner text,
     epoch integer not null,
     due_at real,
     used_at real not null
   ) strict, without rowid;
   create index tenants_due on tenants (due_at) where due_at is not null;
   create table tokens (
     digest text primary key,
     tenant text not null references tenants (id) on delete cascade
   ) strict, without rowid;
   create index tokens_tenant on tokens (tenant);
   create table documents (
     tenant text not null references tenants (id) on delete cascade,
     kind text not null,
     id text not null,
     place real not null,
     body text not null,
     primary key (tenant, kind, id)
   ) strict;`,
  // Null in rows of version 1, until they are written again.
  'alter table documents add column checksum integer;',
  // As above, of what never changes in one.
  'alter table tenants add column checksum integer;',
]

/** Of this process alone: whoever opens the file next has nobody to wait for. */
export const leases = `create temp table replicas (id text primary key, address text not null, lease_until real not null)`
