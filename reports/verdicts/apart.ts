/** What is judged apart: shown under a heading of its own, because no answer of the run depends on it. */
import { apartAreas } from '../../spec/index.ts'
import type { Finding } from '../bundle/record.ts'

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
