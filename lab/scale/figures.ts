/** The unit costs that are measured; everything else is calculated from them. */

/** Unit and description by name. */
export const figures = {
  'turn, no store': ['µs', 'JSON turn, no store'],
  'turn, file': ['µs', 'JSON turn, stored in a file'],
  'turn, PostgreSQL': ['µs', 'JSON turn, stored in PostgreSQL: replica'],
  'turn, server': ['µs', 'JSON turn, stored in PostgreSQL: server'],
  'turn, forwarded': ['µs', 'additional cost of forwarding a turn to its owner: both replicas'],
  'stream, no store': ['µs', 'turn streamed in 20 tokens, each flushed, state in memory'],
  'stream, PostgreSQL': ['µs', 'the same, stored in PostgreSQL: replica'],
  'stream, server': ['µs', 'the same, stored in PostgreSQL: server'],
  'delivery, replica': ['µs', 'signed delivery, stored in PostgreSQL: replica'],
  'delivery, server': ['µs', 'signed delivery, stored in PostgreSQL: server'],
  'turn, WAL': ['bytes', 'WAL of a turn'],
  'delivery, WAL': ['bytes', 'WAL of a delivery'],
  'load, replica': ['µs', 'loading a tenant: replica'],
  'load, server': ['µs', 'loading a tenant: server'],
  'load, per key': ['µs', 'additionally for each of its keys: replica'],
  'release, replica': ['µs', 'unloading a tenant: replica'],
  'release, server': ['µs', 'unloading a tenant: server'],
  'idle, replica': ['µs', 'a second of an idle loaded tenant: replica'],
  'creation, replica': ['µs', 'creating a tenant: replica'],
  'creation, server': ['µs', 'creating a tenant: server'],
  'replica, memory': ['KiB', 'replica with few tenants'],
  'tenant, memory': ['KiB', 'tenant in memory'],
  'turn, memory': ['KiB', 'additionally for each remembered turn and its journal entry'],
  'connection, memory': ['KiB', 'idle connection'],
  'stream, memory': ['KiB', 'open stream, with its connection'],
  'tenant, stored': ['bytes', 'new tenant in the database'],
  'key, stored': ['bytes', 'remembered key'],
  'conversation, stored': ['bytes', 'conversation'],
  'delivery, stored': ['bytes', 'delivery'],
  'webhook, stored': ['bytes', 'webhook'],
  'run, stored': ['bytes', 'run of an operation'],
  'index, stored': ['bytes', 'additionally for each of these rows, in the index'],
} as const satisfies Record<string, readonly [unit: string, what: string]>

export type FigureName = keyof typeof figures
export type Figures = Readonly<Record<FigureName, number>>
