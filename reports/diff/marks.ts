/** What changed about whether a check counts, whatever its verdict. */
import type { Finding, Verdict } from '../bundle/record.ts'

const failing: readonly Verdict[] = ['fail', 'warn']

interface Mark {
  /** Whether it can be asked of both. */
  fits?: (finding: Finding) => boolean
  read: (finding: Finding) => string | undefined
  says: (before: string | undefined, after: string | undefined) => string
}

const waivers = { 'known-failure': 'waived', flaky: 'called flaky' } as const

const marks: readonly Mark[] = [
  {
    // What does not fail needs no waiver.
    fits: ({ verdict }) => failing.includes(verdict),
    read: ({ waived }) => waived && waivers[waived.as],
    says: (before, after) => (after === undefined ? `no longer ${before}` : `${after} now`),
  },
  {
    read: ({ provisional }) => (provisional ? 'provisional' : undefined),
    says: (_, after) => (after === undefined ? 'no longer provisional: it counts now' : 'provisional now'),
  },
  { read: ({ level }) => level, says: (before, after) => `${before} before, ${after} now` },
]

/** In words, such as `waived now`. Of a check that only one run has, nothing. */
export function marksBetween(before?: Finding, after?: Finding): readonly string[] {
  if (!before || !after) return []
  return marks.flatMap(({ fits = () => true, read, says }) => {
    if (!fits(before) || !fits(after)) return []
    const [one, other] = [read(before), read(after)]
    return one === other ? [] : [says(one, other)]
  })
}
