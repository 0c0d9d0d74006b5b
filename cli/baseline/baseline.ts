/** Writes the policy of a recorded run. What it writes is tried first: with it, the same run passes its gate. */
import { quoteText } from '../../bundle/curl.ts'
import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { Document, isCollection, isMap, isScalar, isSeq, parseDocument } from 'yaml'
import { scenariosFor } from '../../suites/scenarios.ts'
import { knownChecks } from '../../suites/runner/plan/selection.ts'
import { answersFor } from '../../suites/runner/outcome/run-record.ts'
import { type ExpectedNotExercised, type Policy, emptyPolicy } from '../../suites/policy/policy.ts'
import { baselineOf, unsaid } from '../../suites/policy/baseline.ts'
import { isMeant, namesIn } from '../../suites/policy/expected.ts'
import { loadPolicy } from '../../suites/policy/file.ts'
import type { Finding, RunRecord } from '../../bundle/record.ts'
import { realClock } from '../../suites/wire/clock.ts'
import type { BaselineOptions } from '../commands/options.ts'
import type { Io } from '../io.ts'
import { writeOut } from '../out-file.ts'
import { UsageError } from '../usage-error.ts'
import { basisFile, planFile } from '../../bundle/names.ts'
import type { JudgeBasis } from '../rejudge/read-bundle.ts'
import { systemReason } from '../values.ts'
import { readPlain } from '../../bundle/folder/plain-file.ts'
import { counted } from '../../reports/document/blocks.ts'
import { isObject } from '../../spec/json.ts'
import { subjectOf } from '../../reports/run/words.ts'
import { shorten, visibleLine } from '../../reports/visible.ts'

const mostText = 160

/** `earlier`: the text of the policy that it replaces, whose comments are kept where the entry is the same. */
function policyYaml(policy: Policy, record: RunRecord, earlier: string | null = null): string {
  const { knownFailures, flaky, expectedNotExercised } = policy
  const lists = { knownFailures, flaky, expectedNotExercised }
  // Where an entry was read from is not where it will be.
  const document = new Document(
    Object.fromEntries(
      Object.entries(lists).map(([name, entries]) => [
        name,
        entries.map((entry) => ({ ...entry, at: undefined })),
      ]),
    ),
  )
  document.commentBefore = [headOf(record), ...ownHead(earlier)].join('\n')
  const findingOf = new Map(record.findings.map((finding) => [finding.check, finding]))
  const about = (check: string): string => commentOf(findingOf.get(check), record)
  for (const [name, entries] of Object.entries({ knownFailures, flaky }))
    entries.forEach(({ check }, at) => {
      const item: unknown = document.getIn([name, at], true)
      if (isCollection(item)) Object.assign(item, { commentBefore: about(check), spaceBefore: at > 0 })
    })
  if (earlier !== null) keepEntries(document, parseDocument(earlier))
  for (const { key } of isMap(document.contents) ? document.contents.items : [])
    if (isScalar(key)) key.spaceBefore = true
  return document.toString({ lineWidth: 0 })
}

/** The lines of the head of an earlier policy that somebody added. */
function ownHead(earlier: string | null): readonly string[] {
  const head = earlier === null ? null : parseDocument(earlier).commentBefore
  return head?.split('\n').filter((text) => !/^ Written by `|^ \d+ checks, clauses of/.test(text)) ?? []
}

/** Puts the entries of an earlier policy, with their comments, in place of the same ones. */
function keepEntries(document: Document, earlier: Document): void {
  for (const name of ['knownFailures', 'flaky', 'expectedNotExercised']) {
    const [list, before] = [document.get(name), earlier.get(name)]
    if (!isSeq(list) || !isSeq(before)) continue
    // The parser gives the comment above the first entry to the list.
    const [first] = before.items
    if (isCollection(first)) first.commentBefore ??= before.commentBefore ?? null
    const known = new Map(before.items.map((item) => [meaningOf(item), item]))
    list.items.forEach((item, i) => void (list.items[i] = known.get(meaningOf(item)) ?? item))
  }
}

/** The same for entries that differ only in comments and in the order of their members. */
function meaningOf(item: unknown): string {
  const value: unknown = isCollection(item) ? item.toJSON() : item
  return JSON.stringify(
    isObject(value) ? Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)) : value,
  )
}

const hasNoFile = ({ kind }: RunRecord['target']): boolean => kind === 'client' || kind === 'receiver'

function headOf({ run, target, plan, contract }: RunRecord): string {
  const goesTo = hasNoFile(target)
    ? `For \`touchstone ${target.kind} --policy\`.`
    : 'For `policy` in a target file: as it is, or by the path of this file.'
  return [
    ` Written by \`touchstone baseline\` from run ${run.id} of ${run.endedAt.slice(0, 10)} against ${line(target.name)}:`,
    ` ${plan.checks.length} checks, clauses of ${contract.revision}. ${goesTo}`,
  ].join('\n')
}

function commentOf(finding: Finding | undefined, record: RunRecord): string {
  if (!finding) return ' Not asked for in this run.'
  const { subject, level, expected, got } = finding
  const seen = expected === undefined ? [] : [` Expected ${line(expected)}, got ${line(got ?? 'nothing')}.`]
  return [` ${subject} (${level}): ${subjectOf(subject, record).text}`, ...seen].join('\n')
}

const line = (text: string): string => visibleLine(shorten(text, mostText))

export function baseline(path: string, options: BaselineOptions, io: Io): void {
  const { record, policy: ofRun } = recordedRun(path)
  refuse(record)
  const today = realClock().wall().slice(0, 10)
  const { owner = unsaid.owner, reason, days, out } = options
  const earlier = out === undefined ? null : policyAt(out)
  const before = earlier === null || out === undefined ? ofRun : loadPolicy(out, today)
  const known = knownChecks(scenariosFor(record), record.run.profile)
  const complete = baselineOf(record, before, known, { owner, reason, today, days })
  demandPass(record, complete)
  const { findings } = record
  const unsure = new Set(
    findings.filter(({ verdict }) => verdict === 'inconclusive').map(({ check }) => check),
  )
  const isLeft = (entry: ExpectedNotExercised): boolean =>
    !options.includeInconclusive && unsure.has(entry.pattern) && !before.expectedNotExercised.includes(entry)
  const expectedNotExercised = complete.expectedNotExercised.filter((entry) => !isLeft(entry))
  const left = complete.expectedNotExercised.filter(isLeft).map(({ pattern }) => pattern)
  const policy = { ...complete, expectedNotExercised }
  const text = policyYaml(policy, record, earlier)
  if (out === undefined) io.out(text)
  else writeOut(out, text)
  const names = namesIn(known)
  const untested = findings.filter((one) => expectedNotExercised.some((entry) => isMeant(entry, one, names)))
  const entries = counted(expectedNotExercised.length, 'entry', 'entries')
  const failing = `${counted(policy.knownFailures.length, 'known failure')}, ${counted(policy.flaky.length, 'flaky check')}`
  const skipped = `${entries} for ${counted(untested.length, 'check')} that cannot be tested here`
  io.err(`The policy has ${failing} and ${skipped}. `)
  const promised = [...policy.knownFailures, ...policy.flaky]
  const last = promised
    .map(({ expires }) => expires)
    .toSorted()
    .at(-1)
  io.err(last === undefined ? '\n' : `Known failures and flaky checks expire by ${last}.\n`)
  for (const entry of [...before.knownFailures, ...before.flaky]) {
    if (promised.includes(entry)) continue
    const { check, owner: of, expires } = entry
    const [isThere, isKnown] = [promised, known].map((all) => all.some((one) => one.check === check))
    const unlike = isThere ? 'fails in another way now' : 'no longer fails'
    const why = expires < today ? `expired on ${expires}` : isKnown ? unlike : 'is no check of this version'
    io.err(`${check} (${of}) ${why}: ${isThere ? 'accepted anew' : 'removed'}.\n`)
  }
  if (left.length > 0)
    io.err(
      `${counted(left.length, 'inconclusive check is', 'inconclusive checks are')} not accepted, so the gate stays red (exit 3): ${left.join(', ')}. Run again for a result, or accept with --include-inconclusive.\n`,
    )
  const { target } = record
  if (out !== undefined)
    io.err(
      hasNoFile(target)
        ? `For the next run: touchstone ${target.kind} --policy ${quoteText(out)} …\n`
        : `In a target file beside it: policy: ${JSON.stringify(out)}\n`,
    )
  if (promised.some((one) => one.owner === unsaid.owner || one.reason === unsaid.reason))
    io.err('Add an owner and a reason: with --owner and --reason, or in the file.\n')
}

function refuse({ run, findings }: RunRecord): void {
  if (run.lifecycle !== 'finished')
    throw new UsageError(
      `the run ${run.id} ended early, so further failures are unknown: let a run finish, with higher caps if one of them ended it.`,
    )
  const errors = findings.filter(({ verdict, provisional }) => verdict === 'error' && !provisional)
  if (errors.length > 0)
    throw new UsageError(
      `in the run ${run.id} the suite itself erred, which no policy can allow: ${errors.map(({ check }) => check).join(', ')}; please report it, and leave those out with --only until then.`,
    )
}

/** Some things no policy can allow, such as a declared state that is not the case. */
function demandPass(record: RunRecord, policy: Policy): void {
  const { gate } = answersFor(record, scenariosFor(record), policy, record.run.endedAt)
  if (gate.passed) return
  throw new UsageError(
    `no policy lets the run ${record.run.id} pass: ${gate.because.join('; ')}. Fix that, and run again.`,
  )
}

/** The text of an existing policy; null if there is none. Throws a UsageError for a target file. */
function policyAt(out: string): string | null {
  if (!existsSync(out)) return null
  const text = readFileSync(out, 'utf8')
  if (/^apiVersion:/m.test(text))
    throw new UsageError(
      `--out ${out}: this is a target file; give another file, and refer to it there with \`policy: FILE\`.`,
    )
  return text
}

/** `path`: the folder of a run, or its `run.json`; alone, that is a run without a policy. */
function recordedRun(path: string): { record: RunRecord; policy: Policy } {
  const file = path.endsWith('.json') ? path : join(path, 'run.json')
  const wasCutOff = !existsSync(file) && existsSync(join(dirname(file), planFile))
  if (wasCutOff)
    throw new UsageError(
      `${dirname(file)}: the run was cut off before it wrote ${basename(file)}, so further failures are unknown: let a run finish.`,
    )
  const record = parsed(file) as RunRecord
  if (record?.schemaVersion !== 1 || !Array.isArray(record.findings) || !record.contract)
    throw new UsageError(
      `${file} is no record of a run: name the folder that a check wrote, or its run.json.`,
    )
  const basis = join(dirname(file), basisFile)
  return { record, policy: existsSync(basis) ? (parsed(basis) as JudgeBasis).policy : emptyPolicy }
}

function parsed(file: string): unknown {
  try {
    return JSON.parse(readPlain(file).toString('utf8')) as unknown
  } catch (error) {
    throw new UsageError(
      `${file} cannot be read (${systemReason(error)}): name the folder that a check wrote, or its run.json.`,
    )
  }
}
