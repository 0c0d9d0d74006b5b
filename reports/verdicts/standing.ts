/** What the policy and the clause set say of a finding, in words. */
import type { Finding } from '../bundle/record.ts'
import { apartAreas } from '../../spec/index.ts'

type Marks = Pick<Finding, 'waived' | 'provisional'> & Partial<Pick<Finding, 'area'>>

const short = { 'known-failure': 'waived', flaky: 'flaky' } as const

/** Words to put behind a verdict, such as `waived`. */
export function marksOf({ waived, provisional, ...where }: Marks): readonly string[] {
  const counts = isApart(where) ? 'apart' : 'provisional'
  return [...(waived ? [short[waived.as]] : []), ...(provisional ? [counts] : [])]
}

/** The same with who answers for it and until when; undefined where there is nothing to say. */
export function standingOf({ waived, provisional, ...where }: Marks): string | undefined {
  const issue = waived?.issue === undefined ? '' : `, see ${waived.issue}`
  const lines = [
    waived && `${short[waived.as]} until ${waived.expires} by ${waived.owner} (${waived.reason}${issue})`,
    provisional &&
      (isApart(where)
        ? 'judged apart, it decides nothing'
        : 'provisional, the clause is not in the set that counts'),
  ]
  return lines.filter(Boolean).join('; ') || undefined
}

/** Words behind the level of a warning about a MUST clause; empty for any other finding. */
export function levelNote({ level, verdict }: Pick<Finding, 'level' | 'verdict'>): string {
  return verdict === 'warn' && level === 'must' ? ', in a case that its words do not name' : ''
}

/** Counted from the end of the run, so that the page is the same whenever it is made. */
export function daysLeft(expires: string, endedAt: string): string {
  const days = Math.round((Date.parse(expires) - Date.parse(endedAt.slice(0, 10))) / 86_400_000)
  if (days < 0) return 'expired'
  return days === 0 ? 'last day' : `${days} ${days === 1 ? 'day' : 'days'} left`
}

export const apartTitle = 'Judged apart: the older chat variant'
export const apartMeans =
  'Whether a service still has it is not shown. The target declares it, so it was asked; neither answer of this run depends on what it said.'

const areas: readonly string[] = apartAreas

export function isApart({ area }: Partial<Pick<Finding, 'area'>>): boolean {
  return area !== undefined && areas.includes(area)
}

export function parted(rows: readonly Finding[]): {
  together: readonly Finding[]
  apart: readonly Finding[]
} {
  return { together: rows.filter((row) => !isApart(row)), apart: rows.filter(isApart) }
}
