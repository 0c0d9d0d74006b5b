/** What is measured of one of each thing: the unit costs from which everything else is worked out. */

/** Name, with its unit and what is counted. */
export const figures = {
  'turn, nothing kept': ['µs', 'JSON turn, nothing kept'],
  'turn, file': ['µs', 'JSON turn, kept in a file'],
  'turn, PostgreSQL': ['µs', 'JSON turn, kept in PostgreSQL: replica'],
  'turn, server': ['µs', 'JSON turn, kept in PostgreSQL: server'],
  'turn, passed on': ['µs', 'a turn passed on to its owner, in addition: both replicas'],
  'stream, nothing kept': ['µs', 'turn streamed in 20 tokens, each flushed, nothing kept'],
  'stream, PostgreSQL': ['µs', 'the same, kept in PostgreSQL: replica'],
  'stream, server': ['µs', 'the same, kept in PostgreSQL: server'],
  'delivery, replica': ['µs', 'signed delivery, kept in PostgreSQL: replica'],
  'delivery, server': ['µs', 'signed delivery, kept in PostgreSQL: server'],
  'turn, WAL': ['bytes', 'WAL of a turn'],
  'delivery, WAL': ['bytes', 'WAL of a delivery'],
  'load, replica': ['µs', 'taking up a tenant: replica'],
  'load, server': ['µs', 'taking up a tenant: server'],
  'load, per key': ['µs', 'and for each of its keys: replica'],
  'release, replica': ['µs', 'putting down a tenant: replica'],
  'release, server': ['µs', 'putting down a tenant: server'],
  'idle, replica': ['µs', 'a second of a tenant that rests in a replica: replica'],
  'making, replica': ['µs', 'making a tenant: replica'],
  'making, server': ['µs', 'making a tenant: server'],
  'replica, resident': ['KiB', 'replica with hardly a tenant'],
  'tenant, resident': ['KiB', 'tenant in memory'],
  'turn, resident': ['KiB', 'and for each turn that it remembers, with its entry in the journal'],
  'connection, resident': ['KiB', 'idle connection'],
  'stream, resident': ['KiB', 'open stream, with its connection'],
  'tenant, stored': ['bytes', 'tenant in the database, with everything it begins with'],
  'key, stored': ['bytes', 'remembered key'],
  'conversation, stored': ['bytes', 'conversation'],
  'delivery, stored': ['bytes', 'delivery'],
  'webhook, stored': ['bytes', 'webhook'],
  'run, stored': ['bytes', 'run of an operation'],
  'index, stored': ['bytes', 'and for each row of these, in the index'],
} as const satisfies Record<string, readonly [unit: string, what: string]>

export type FigureName = keyof typeof figures
export type Figures = Readonly<Record<FigureName, number>>
