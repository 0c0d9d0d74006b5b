/** Reads signed statements from folders and registries, decides on a version, and prints one line of reason. */
import type { KeyObject } from 'node:crypto'
import { existsSync } from 'node:fs'
import { keyIdOf } from '../../reports/bundle/seal/envelope.ts'
import { readStatement } from '../../reports/bundle/seal/read-statement.ts'
import { visibleLine } from '../../reports/visible.ts'
import { clauseSetName, compareClauseSets } from '../../spec/clause-set.ts'
import { newestRevision } from '../../spec/clause-sets/index.ts'
import { findClauseSet } from '../../suites/policy/clause-set-file.ts'
import { exitCodes } from '../exit-codes.ts'
import type { Io } from '../io.ts'
import { publicKeyAt } from '../seal/signer.ts'
import { UsageError } from '../usage-error.ts'
import {
  decideRelease,
  type StatedRun,
  type ReleaseDecision,
  type Demand,
  type NotCounted,
} from './decide.ts'
import { statementsIn } from './folder.ts'
import type { Found } from './limits.ts'
import { objectionFrom } from './logged-runs.ts'
import { statementsAt } from './registry.ts'

export interface GateOptions extends Omit<Demand, 'allowPartial' | 'clauseSet'> {
  clauseSet: string
  from: readonly string[]
  key: readonly string[]
  log?: string
  head?: string
  allowPartial?: true
  json?: true
}

/** Returns the exit code. Throws UsageError, BundleError and DownloadFailed. */
export async function gate(options: GateOptions, io: Io): Promise<number> {
  if (options.head !== undefined && options.log === undefined)
    throw new UsageError('--head is about the log of runs that --log names; give both.')
  const keys = options.key.map(publicKeyAt)
  const clauseSet = leastSet(options.clauseSet)
  const candidates: StatedRun[] = []
  const refused: NotCounted[] = []
  for (const source of options.from)
    for await (const found of /^https?:\/\//i.test(source) ? statementsAt(source) : statementsIn(source)) {
      const one = candidateIn(found, keys)
      if ('why' in one) refused.push(one)
      else candidates.push(one)
    }
  const demand = { ...options, clauseSet, allowPartial: options.allowPartial === true }
  const decided = decideRelease(candidates, demand, Date.now())
  const passed = decided.exitCode === exitCodes.ok ? decided.by : null
  const objection = passed && (await objectionFrom(options, keys, passed, demand))
  const but = objection && { ...objection, reason: `${decided.reason}, but ${objection.reason}` }
  const decision = { ...decided, ...but, notCounted: [...refused, ...decided.notCounted] }
  io.out(options.json ? jsonOf(decision, options) : `${lineOf(decision, options)}\n`)
  return decision.exitCode
}

/** A name may be of a set that is newer than this version. Throws a ConfigurationError. */
function leastSet(named: string): Demand['clauseSet'] {
  const isName = clauseSetName.test(named) && !existsSync(named)
  const isNewer = isName && compareClauseSets(named, newestRevision) > 0
  return isNewer ? { revision: named } : findClauseSet(named)
}

function candidateIn(found: Found, keys: readonly KeyObject[]): StatedRun | NotCounted {
  const { file } = found
  if ('why' in found) return found
  const reading = readStatement(found.bytes, keys)
  if ('why' in reading) return { file, why: reading.why }
  const { statement, key } = reading
  return { file, keyid: keyIdOf(key), statement, fits: () => found.fits?.(statement.subjects) ?? true }
}

function lineOf(
  { exitCode, reason, by, notCounted }: ReleaseDecision,
  { target, version }: GateOptions,
): string {
  const answer = exitCode === exitCodes.ok ? 'PASSED' : 'FAILED'
  const others = notCounted.length === 0 ? '' : tallied(notCounted)
  const why =
    by === null
      ? ` (${others || 'there are no statements'})`
      : `, ${runWords(by)}${others && `; not counted: ${others}`}`
  return visibleLine(`${answer}: ${target} ${version}: ${reason}${why}`)
}

function runWords({ file, keyid, statement }: StatedRun): string {
  const { run, target, contract } = statement
  const service = [target.kind, ...(target.baseUrl === null ? [] : [target.baseUrl])].join(' ')
  return `run ${run.id} of ${run.endedAt} against ${service}, clause set ${contract.revision}, signed by key id ${keyid}, ${file}`
}

/** Such as `2 of another version, 1 not signed by a given key`. */
function tallied(notCounted: readonly NotCounted[]): string {
  const reasons = [...new Set(notCounted.map(({ why }) => why))]
  return reasons.map((why) => `${notCounted.filter((one) => one.why === why).length} ${why}`).join(', ')
}

function jsonOf(
  { exitCode, reason, by, notCounted }: ReleaseDecision,
  { target, version }: GateOptions,
): string {
  const decidedBy = by && { file: by.file, keyid: by.keyid, ...by.statement }
  const passed = exitCode === exitCodes.ok
  return `${JSON.stringify({ schemaVersion: 1, passed, exitCode, reason, target, version, decidedBy, notCounted }, null, 2)}\n`
}
