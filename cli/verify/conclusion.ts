/** The last line of `touchstone verify`: whether the bundle is verified, by whose signature, and how far. */
import { countOf, type InspectionLine } from '../../reports/bundle/verify/line.ts'
import { visibleLine } from '../../reports/visible.ts'

export type InspectedPart = InspectionLine & { about: string }

interface Given {
  keyFile: string | undefined
  /** Null where there is no journal to judge. */
  rejudge: boolean | null
}

/** Such as `VERIFIED: signed by key id 1f… (release.pub.pem), nothing was changed; verdicts recomputed: same`. */
export function conclusionOf(parts: readonly InspectedPart[], given: Given): string {
  const problems = parts
    .filter(({ outcome }) => outcome === 'broken')
    .reduce((sum, part) => sum + Math.max(1, part.problems.length), 0)
  if (problems > 0) return `NOT VERIFIED: ${countOf(problems, 'problem')}`
  const unfinished = parts.filter(({ outcome }) => outcome === 'incomplete').map(({ about }) => about)
  if (unfinished.length > 0)
    return `VERIFIED IN PART: nothing was changed as far as it could be checked; see ${unfinished.join(', ')}`
  const unchanged = `VERIFIED: ${signatureWords(parts, given)}, nothing was changed`
  if (given.rejudge === null) return unchanged
  const verdicts = given.rejudge ? 'same' : 'no (give --rejudge)'
  return `${unchanged}; verdicts recomputed: ${verdicts}`
}

const signatureOf = (parts: readonly InspectedPart[]): Partial<InspectedPart> =>
  parts.find(({ about }) => about === 'signature') ?? {}

function signatureWords(parts: readonly InspectedPart[], { keyFile }: Given): string {
  const { outcome, words = '' } = signatureOf(parts)
  if (outcome !== 'holds' || keyFile === undefined)
    return words === 'unsigned' ? 'unsigned' : 'signature not checked (give --key)'
  const [, keyId = ''] = /key id (\w+)/.exec(words) ?? []
  return `signed by key id ${keyId} (${visibleLine(keyFile)})`
}
