/** The run that is shown, and whether its folder is verified: every view needs them. */
import { signal } from '@preact/signals'
import { messageOf } from '../state/notices.ts'
import { readRun, verifyRun, type Schemas } from './api.ts'
import { runId } from './address.ts'

export const overview = signal<Schemas['RunOverview'] | null>(null)
export const overviewProblem = signal<string | null>(null)
/** Null while it is being verified. */
export const verification = signal<Schemas['Verification'] | null>(null)
export const verificationProblem = signal<string | null>(null)

/** Reads the run of the address, and then verifies its folder, which takes longer. */
export async function openRun(run: string): Promise<void> {
  overview.value = null
  overviewProblem.value = null
  try {
    const read = await readRun(run)
    if (run === runId.peek()) overview.value = read
  } catch (error) {
    overviewProblem.value = messageOf(error)
  }
  await verifyAgain(run, false)
}

export async function verifyAgain(run: string, rejudge: boolean): Promise<void> {
  verification.value = null
  verificationProblem.value = null
  try {
    const found = await verifyRun(run, rejudge)
    if (run === runId.peek()) verification.value = found
  } catch (error) {
    verificationProblem.value = messageOf(error)
  }
}

/** How a verdict is shown; the server knows the words. */
export function verdictWordsOf(verdict: string): Schemas['Words'] {
  const known = overview.value?.verdicts.find((one) => one.verdict === verdict)
  return known?.words ?? { sign: '·', word: verdict, tone: 'quiet', means: '' }
}
