/** Runs that no statement about a target can be made of. */
import { narrowedBy, type RunRecord } from '../bundle/record.ts'

/** What is missing for a whole statement; empty for one of everything that the standard profile has. */
export function partialBecause(record: RunRecord): readonly string[] {
  const narrowed = narrowedBy(record)
  const missing = record.findings.some(({ reason }) => reason === 'shard-missing')
  return [
    ...(narrowed === 'profile' ? ['smoke profile'] : []),
    ...(missing ? ['a shard is missing'] : []),
    ...(record.conformance === 'partial' ? ['MUST clauses not tested'] : []),
    ...(record.run.lifecycle === 'finished' ? [] : [`not finished (${record.run.lifecycle})`]),
  ]
}

/** Why the run of this record cannot be certified, and what to do. Null if it can. */
export function certificationRefusal(
  record: RunRecord,
  { allowPartial }: { allowPartial: boolean },
): string | null {
  const { target } = record
  if (target.kind === 'simulator')
    return 'the target is the simulator, which says nothing about a service; check the service itself.'
  if (target.kind === 'client' || target.kind === 'receiver')
    return `it is of a ${target.kind}, and statements are made about services; hand over the signed folder itself.`
  const narrowed = narrowedBy(record)
  if (narrowed === 'selection') return 'only a selection was run; run it without --only.'
  if (narrowed === 'shard') return 'it is one shard; merge all shards with `touchstone merge` first.'
  if (target.version === undefined)
    return 'the version of the target is not declared; set `implementation.version` in the target file and run it again.'
  const partial = partialBecause(record)
  if (partial.length > 0 && !allowPartial)
    return `it is partial: ${partial.join(', ')}. Complete the run, or state it as partial with --allow-partial.`
  return null
}
