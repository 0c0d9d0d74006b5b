/** An upload that expires between its steps, if the target declares after which time. */
import { scenario } from '../../scenario/scenario.ts'
import { every, given, inconclusive, notApplicable, observed } from '../../scenario/expect.ts'
import { fateOf, receiptStatus } from '../assertions/receipt.ts'
import { judgeUpload, isTaken, renewalIncomplete } from '../assertions/upload.ts'
import type { Dialect } from '../../config/dialect.ts'
import { files, finalize, prepareUpload, sendingOf } from './upload-steps.ts'

const isAtOnce = ({ uploads: { document } = {} }: Dialect): boolean =>
  document?.finalize !== undefined && document.prepare === undefined

const nothingLapses = notApplicable(
  'a document is uploaded in one step, so that nothing can lapse between two',
)

export const lapsed = scenario({
  title: 'a document that lapsed before it was finalized fails, and says what its renewal waits for',
  exchanges: ['prepared[]', 'lapsed[]'],
  needs: { uploads: 'document', principal: { with: ['knowledge.write'] }, optIn: ['slow'] },
  cost: { requests: 3, turns: 0 },
  async run(t) {
    if (isAtOnce(t.dialect)) return
    const sending = sendingOf(t, 'document', files.text(t))
    const asked = await prepareUpload(t, 'prepared', sending)
    // Some targets hold an upload before they return the upload URL.
    const approvalId = receiptStatus(asked) === 'pending_approval' ? t.approvalOf(asked) : null
    if (approvalId !== null) await t.enter('approval.approved', { approvalId })
    const prepared = approvalId === null ? asked : await prepareUpload(t, 'prepared', sending)
    const seconds =
      t.dialect.uploads?.document?.lapsesAfterSeconds ??
      t.stop('nothing says when an upload lapses; declare `dialect.uploads.document.lapsesAfterSeconds`')
    await t.wait((seconds + 1) * 1_000)
    await finalize(t, 'lapsed', sending, prepared)
  },
  judge: {
    'UPL-RENEWAL': ({ prepared, lapsed: [outcome] }, { dialect }) =>
      isAtOnce(dialect)
        ? nothingLapses
        : given(judgeUpload(prepared, isTaken), () => every(outcome ? [outcome] : [], renewalIncomplete)),
  },
  observe: {
    'GAP-UPLOAD-RENEWAL': ({ lapsed: [outcome] }, { dialect }) => {
      if (isAtOnce(dialect)) return nothingLapses
      return outcome ? observed(`lapsed: ${fateOf(outcome)}`) : inconclusive('nothing lapsed')
    },
  },
})
