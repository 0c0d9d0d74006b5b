/** The tables of a store in PostgreSQL, version by version: each text brings a schema of the version before to the next. */

/** `here` is the schema. */
export const postgresVersions: readonly string[] = [
  `create table here.replicas (
     id text primary key,
     address text not null,
     lease_until timestamptz not null,
     -- What was written last: which opening of the store, and which of its commits.
     run bigint not null default 0,
     step bigint not null default 0
   );
   create sequence here.runs;
   create table here.tenants (
     id text collate "C" primary key,
     number bigint generated always as identity unique,
     seed text not null,
     options text not null,
     owner text,
     epoch integer not null,
     due_at timestamptz,
     used_at timestamptz not null
   );
   create index tenants_due on here.tenants (due_at) where due_at is not null;
   create table here.tokens (
     digest text collate "C" primary key,
     tenant text collate "C" not null references here.tenants (id) on delete cascade
   );
   create index tokens_tenant on here.tokens (tenant);
   create table here.documents (
     tenant text collate "C" not null references here.tenants (id) on delete cascade,
     kind text collate "C" not null,
     id text collate "C" not null,
     place double precision not null,
     body text not null,
     primary key (tenant, kind, id)
   )`,
]
