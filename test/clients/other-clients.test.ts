/** Of the library and the receiver that others might have written, what the golden verdicts do not show. */
import { describe, expect, test } from 'vitest'
import type { RunRecord } from '../../bundle/record.ts'
import { judgedOther } from '../other-client/start.ts'
import { judgedReceiver } from '../other-receiver/start.ts'
import { hasPython } from '../other-server/start.ts'

const fine: readonly string[] = ['pass', 'not-applicable', 'observed']

const against = ({ findings }: RunRecord): readonly string[] =>
  findings
    .filter(({ verdict }) => !fine.includes(verdict))
    .map(({ check, verdict }) => `${verdict}: ${check}`)

const failedIn = ({ findings }: RunRecord): readonly string[] => [
  ...new Set(findings.filter(({ verdict }) => verdict === 'fail').map(({ subject }) => subject)),
]

describe.skipIf(!hasPython).concurrent('nothing is said against', () => {
  test('the other library where it keeps what it has', async ({ expect }) => {
    const record = await judgedOther('library', { driven: true, only: ['client-kept/*'] })
    expect(against(record)).toEqual([])
  })
})

describe.skipIf(!hasPython)('what is planted is found:', () => {
  test('a receiver that signs what it has read anew', async () => {
    expect(failedIn(await judgedReceiver('receiver-signs-parsed-body-again'))).toContain('RECV-RAW')
  })
})
