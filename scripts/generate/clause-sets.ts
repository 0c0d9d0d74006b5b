/**
 * The clauses that count for a revision of the contract, frozen when the revision is published. A set is written
 * once: what came into the catalogue later is for the next one.
 */
import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { areas, chatAreas } from '../../spec/index.ts'

type Levels = Readonly<Record<string, string>>

export const folder = 'spec/clause-sets'

/** Path and text of the set of a new revision. Throws where there is one already, or a later one. */
export function newSet(revision: string): [path: string, text: string] {
  if (!/^\d{4}-\d{2}$/.test(revision)) throw new Error(`${revision} is no revision: give one such as 2027-03`)
  const latest = published().at(-1)
  if (latest !== undefined && revision <= latest)
    throw new Error(`${latest} is published, and a set never changes: give a later revision than that`)
  const levels = chatAreas.flatMap((area) =>
    Object.entries(areas[area]).map(([id, { level }]) => [id, level]),
  )
  return [`${folder}/${revision}.ts`, setText(revision, Object.fromEntries(levels) as Levels)]
}

/** The text of the table of all sets. Throws where one is no longer what was published. */
export async function indexText(): Promise<string> {
  const before = await digestsBefore()
  const rows = await Promise.all(
    published().map(async (revision) => {
      const digest = digestOf(await levelsOf(revision))
      const was = before[revision]
      if (was !== undefined && was !== digest)
        throw new Error(
          `${folder}/${revision}.ts was published with digest ${was} and has ${digest} now: restore it, and publish what is new as the next revision`,
        )
      return { revision, digest, name: `of${revision.replace('-', '')}` }
    }),
  )
  return [
    '// Written by `npm run generate` from the sets beside it. Do not edit.',
    ...rows.map(({ name, revision }) => `import { levels as ${name} } from './${revision}.ts'`),
    '',
    '/** By revision of the contract: the clauses that count for it with their levels, and the SHA-256 of both. */',
    'export const clauseSets = {',
    ...rows.flatMap(({ name, revision, digest }) => [
      `  '${revision}': {`,
      `    digest: '${digest}',`,
      `    levels: ${name},`,
      '  },',
    ]),
    '} as const',
    '',
    'export type Revision = keyof typeof clauseSets',
    `export const newestRevision = '${rows.at(-1)?.revision}' satisfies Revision`,
    '',
  ].join('\n')
}

/** SHA-256, hex, over the sorted lines `<id> <level>`. */
export function digestOf(levels: Levels): string {
  const lines = Object.entries(levels).map(([id, level]) => `${id} ${level}\n`)
  return createHash('sha256').update(lines.sort().join('')).digest('hex')
}

function setText(revision: string, levels: Levels): string {
  return [
    `// The clauses that count for revision ${revision}. Published: never edited.`,
    "import type { Level } from '../clause.ts'",
    "import type { ClauseId } from '../clauses/index.ts'",
    '',
    'export const levels = {',
    ...Object.entries(levels).map(([id, level]) => `  '${id}': '${level}',`),
    '} as const satisfies Partial<Record<ClauseId, Level>>',
    '',
  ].join('\n')
}

/** Revisions with a set, the oldest first. */
function published(): readonly string[] {
  return readdirSync(folder)
    .flatMap((file) => /^(\d{4}-\d{2})\.ts$/.exec(file)?.[1] ?? [])
    .sort()
}

async function levelsOf(revision: string): Promise<Levels> {
  const set = (await import(`../../${folder}/${revision}.ts`)) as { levels: Levels }
  return set.levels
}

async function digestsBefore(): Promise<Readonly<Record<string, string>>> {
  const { clauseSets } = await import('../../spec/clause-sets/index.ts')
  return Object.fromEntries(Object.entries(clauseSets).map(([revision, { digest }]) => [revision, digest]))
}
