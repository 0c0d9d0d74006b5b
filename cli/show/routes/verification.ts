/** Verifies a folder as `touchstone verify` does. */
import { setImmediate } from 'node:timers/promises'
import { openForVerification } from '../../../reports/bundle/verify/opened-bundle.ts'
import type { InspectionOutcome } from '../../../reports/bundle/verify/line.ts'
import { visibleLine } from '../../../reports/visible.ts'
import type { Tone, Verification, Words } from '../../../spec/types/show.ts'
import { exitCodes } from '../../exit-codes.ts'
import { conclusionOf, isUnchecked, type InspectedPart } from '../../verify/conclusion.ts'
import { inspectedParts, inspectionSigns, verifiedCode } from '../../verify/verify.ts'
import type { NamedRun } from '../named-runs.ts'
import type { OpenedRuns } from '../opened-runs.ts'

const mostProblems = 100

const tones: Readonly<Record<InspectionOutcome, Tone>> = {
  holds: 'good',
  broken: 'bad',
  open: 'quiet',
  incomplete: 'doubt',
}

const answers: Readonly<Record<number, Words>> = {
  [exitCodes.ok]: { sign: '✓', word: 'verified', tone: 'good', means: 'Nothing was changed since the run.' },
  [exitCodes.nonconformant]: {
    sign: '✗',
    word: 'altered',
    tone: 'bad',
    means: 'Not as the run wrote it: do not rely on what is shown here.',
  },
  [exitCodes.lessExercised]: {
    sign: '–',
    word: 'verified in part',
    tone: 'doubt',
    means: 'Nothing was changed as far as it could be checked.',
  },
}

const unchecked: Words = {
  sign: '–',
  word: 'signature not checked',
  tone: 'quiet',
  means: 'The files fit the manifest; give --key to check who signed it.',
}

function answerTo(parts: readonly InspectedPart[]): Words | undefined {
  const code = verifiedCode(parts)
  return code === exitCodes.ok && isUnchecked(parts) ? unchecked : answers[code]
}

/** Throws a BundleError where nothing of a run is left in the folder. */
export async function verificationOf(
  { expected }: Pick<OpenedRuns, 'expected'>,
  run: Pick<NamedRun, 'path'>,
  rejudge: boolean,
): Promise<Verification> {
  const parts: InspectedPart[] = []
  for (const part of inspectedParts(openForVerification(run.path), { key: expected?.key ?? null, rejudge })) {
    parts.push(part)
    // Other requests are answered between two parts.
    await setImmediate()
  }
  const words = answerTo(parts)
  if (!words) throw new Error('verification ended with an unknown code')
  return {
    words,
    conclusion: conclusionOf(parts, { keyFile: expected?.file, rejudge }),
    parts: parts.map(({ about, outcome, words: says, problems }) => ({
      about,
      tone: tones[outcome],
      sign: inspectionSigns[outcome],
      words: visibleLine(says),
      problems: problems.slice(0, mostProblems).map(visibleLine),
    })),
  }
}
