/**
 * The clauses that count for a revision of the contract, frozen when the revision is published. What comes into
 * the catalogue after that is for the next one.
 */
import { createHash } from 'node:crypto'
import { areas, clauseSets, judgedAreas, newestRevision, type Clause } from '../../spec/index.ts'

type Levels = Readonly<Record<string, string>>

const folder = 'spec/clause-sets'

interface ClauseSet {
  revision: string
  levels: Levels
}

/**
 * The set of a new revision; for the newest, what it has and what came since. That is for one that was not
 * released yet: nothing is taken from it or changed. Throws for any earlier one.
 */
export function setFor(revision: string): ClauseSet {
  if (!/^\d{4}-\d{2}$/.test(revision)) throw new Error(`${revision} is no revision: give one such as 2027-03`)
  if (revision < newestRevision)
    throw new Error(`${newestRevision} is published, and ${revision} lies before it: give a later revision`)
  const rows = judgedAreas.flatMap((area) => Object.entries<Clause>(areas[area]))
  const today = Object.fromEntries(rows.map(([id, { level }]) => [id, level]))
  return { revision, levels: { ...today, ...before[revision]?.levels } }
}

/** Paths and texts of the table of all sets and, where one is `given`, of that. */
export function setFiles(given?: ClauseSet): [path: string, text: string][] {
  const table: [string, string] = [`${folder}/index.ts`, indexText(given)]
  return given ? [[`${folder}/${given.revision}.ts`, setText(given)], table] : [table]
}

const before: Readonly<Record<string, { digest: string; levels: Levels }>> = clauseSets

/** Throws where a set is no longer what it was, unless it is the one `given`. */
function indexText(given?: ClauseSet): string {
  const levels = Object.entries(before).map(([revision, set]) => [revision, set.levels] as const)
  const sets = new Map([...levels, ...(given ? [[given.revision, given.levels] as const] : [])])
  const rows = [...sets].map(([revision, own]) => {
    // SHA-256, hex, over the sorted lines `<id> <level>`.
    const lines = Object.entries(own).map(([id, level]) => `${id} ${level}\n`)
    const digest = createHash('sha256').update(lines.sort().join('')).digest('hex')
    const was = before[revision]?.digest
    if (revision !== given?.revision && was !== digest)
      throw new Error(
        `${folder}/${revision}.ts was published with digest ${was} and has ${digest} now: restore it, and publish what is new as the next revision`,
      )
    return { revision, digest, name: `of${revision.replace('-', '')}` }
  })
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

function setText({ revision, levels }: ClauseSet): string {
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
