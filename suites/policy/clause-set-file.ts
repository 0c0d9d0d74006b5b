/** Finds a clause set by its name, or reads it from a file, which is held against its schema and its base. */
import { existsSync } from 'node:fs'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { clauseSetDigest } from '../../bundle/clause-set.ts'
import schema from '../../bundle/schema/clause-set.schema.json' with { type: 'json' }
import {
  areaOf,
  clauseSetName,
  clauseSets,
  clauses,
  judgedAreas,
  levelsIn,
  type ClauseId,
  type ClauseLevels,
  type ClauseSetFile,
  type NamedClauseSet,
  newestRevision,
  type Revision,
} from '../../spec/index.ts'
import { ConfigurationError } from '../config/target.ts'
import { memo } from '../wire/memo/memo.ts'
import { nearest, suggestion } from '../../spec/nearest.ts'
import { readNamed } from '../../bundle/folder/plain-file.ts'
import { shapeProblems } from '../config/file/shape.ts'
import { readYaml, type YamlPath } from '../config/file/source-map.ts'
import type { Finding } from '../../bundle/record.ts'

const published = Object.keys(clauseSets)

/** `named`: a published set, or the path of a clause set file. Throws a ConfigurationError with every problem found. */
export function findClauseSet(named: string): NamedClauseSet {
  const [known] = Object.entries(clauseSets).filter(([name]) => name === named)
  if (known !== undefined) return { revision: named, digest: known[1].digest }
  if (clauseSetName.test(named) && !existsSync(named))
    throw new ConfigurationError(
      `there is no clause set ${named}; ${suggestion(named, published).replace(/[^?]$/, '$&.')} To use a set of your own, give the path of its file`,
    )
  const { text, problem } = readNamed(named)
  if (text === undefined)
    throw new ConfigurationError(`clause set ${named}: ${problem}; published is ${published.join(', ')}`)
  const sourced = readYaml(text, named)
  compiled ??= new Ajv2020({
    allErrors: true,
    strict: false,
    verbose: true,
    validateSchema: false,
  }).compile<ClauseSetFile>(schema)
  const { value } = sourced
  if (!compiled(value)) throw new ConfigurationError(...shapeProblems(compiled.errors, sourced))
  const problems = contradictions(value).map(({ at, says }) => `${sourced.at(at)}: ${at.join('.')} ${says}`)
  if (problems.length > 0) throw new ConfigurationError(...problems)
  const { name, base, remove, change, add } = value
  const definition = { name, base, ...(remove && { remove }), ...(change && { change }), ...(add && { add }) }
  const digest = clauseSetDigest({ revision: definition.name, definition })
  if (digest === null) throw new Error(`the base of ${named} was checked, and is unknown`)
  return { revision: definition.name, digest, definition }
}

/** Compiled for the first file: most runs read none. */
let compiled: ValidateFunction<ClauseSetFile> | undefined

interface Contradiction {
  at: YamlPath
  says: string
}

function contradictions({ name, base, remove = [], change = {}, add = {} }: ClauseSetFile): Contradiction[] {
  const levels = levelsIn({ revision: base })
  if (levels === null)
    return [{ at: ['base'], says: `is ${base}, which is no published set; ${suggestion(base, published)}` }]
  return [
    ...(published.includes(name)
      ? [{ at: ['name'], says: `is ${name}, which is published; give your set another name` }]
      : []),
    ...remove.flatMap((id, at) => unknownIn(levels, id, ['remove', at], `names ${id}`)),
    ...Object.entries(change).flatMap(([id, { level }]) => {
      const at = ['change', id]
      if (remove.includes(id)) return [{ at, says: 'is removed as well; take one of the two out' }]
      if (level !== undefined && Object.hasOwn(levels, id) && levels[id] === level)
        return [{ at: [...at, 'level'], says: `is ${level} in ${base} already; take it out` }]
      return unknownIn(levels, id, at, 'is a clause')
    }),
    ...Object.entries(add).flatMap(([id, { text }]) => {
      const says = cannotBeAdded(id, text, levels, base)
      return says === null ? [] : [{ at: ['add', id], says }]
    }),
  ]

  function unknownIn(known: ClauseLevels, id: string, at: YamlPath, what: string): Contradiction[] {
    if (Object.hasOwn(known, id)) return []
    const near = nearest(id, Object.keys(known))
    const instead = near === undefined ? '`touchstone list clauses` lists them' : `did you mean ${near}?`
    return [{ at, says: `${what} that ${base} does not have; ${instead}` }]
  }
}

const judged: readonly string[] = judgedAreas

function cannotBeAdded(
  id: string,
  text: string | undefined,
  levels: ClauseLevels,
  base: string,
): string | null {
  if (Object.hasOwn(levels, id)) return `is in ${base} already; put what is new of it under change`
  if (Object.hasOwn(clauses, id)) {
    const area = areaOf[id as ClauseId]
    return judged.includes(area) ? null : `is of the area ${area}, whose clauses never count; take it out`
  }
  if (!/^(?!GAP-)[A-Z][A-Z0-9]*(-[A-Z0-9]+)+$/.test(id))
    return 'is no id of a clause; give one such as IDEM-KEY-KEPT'
  return text === undefined ? 'is a new clause and lacks "text"; say what has to hold' : null
}

/** Levels by the ids of the clauses that count; none of a set that this version does not know. */
export const clauseSetOf = memo((set: Omit<NamedClauseSet, 'digest'>): ClauseLevels => levelsIn(set) ?? {})

export function contractOf(revision: Revision = newestRevision): NamedClauseSet {
  return { revision, digest: clauseSets[revision].digest }
}

/** A gap is never provisional: it is never judged in the first place. */
export function isProvisional(subject: string, counted: ClauseLevels): boolean {
  return Object.hasOwn(clauses, subject) && !Object.hasOwn(counted, subject)
}

/**
 * The finding at the level that its clause has in the set, or else in the catalogue: a failure of a SHOULD clause is a
 * warning. What its judge itself called a warning stays one.
 */
export function atLevel(finding: Finding, counted: ClauseLevels): Finding {
  const { subject } = finding
  if (!Object.hasOwn(clauses, subject)) return finding
  const level = Object.hasOwn(counted, subject) ? counted[subject] : clauses[subject as ClauseId].level
  const { softened, ...plain } = finding
  const broken = softened === true || plain.verdict === 'fail'
  if (level === undefined) return finding
  if (!broken) return { ...plain, level }
  return level === 'must'
    ? { ...plain, level, verdict: 'fail' }
    : { ...plain, level, verdict: 'warn', softened: true }
}
