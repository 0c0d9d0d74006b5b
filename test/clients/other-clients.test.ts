/** Of the library and the receiver that others might have written, what the golden verdicts do not show. */
import { expect, test } from 'vitest'
import { judgedOther } from '../other-client/start.ts'
import { judgedReceiver } from '../other-receiver/start.ts'
import { hasPython } from '../other-server/start.ts'

test.skipIf(!hasPython)('nothing is said against the other library where it keeps what it has', async () => {
  const { findings } = await judgedOther('library', { driven: true, only: ['client-kept/*'] })
  expect(findings.filter(({ verdict }) => !/^(pass|not-applicable|observed)$/.test(verdict))).toEqual([])
})

test.skipIf(!hasPython)('a receiver that signs what it has read anew is found', async () => {
  const { findings } = await judgedReceiver('receiver-signs-parsed-body-again')
  expect(findings).toContainEqual(expect.objectContaining({ verdict: 'fail', subject: 'RECV-RAW' }))
})
