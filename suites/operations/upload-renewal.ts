/** An upload that lapsed between its steps, where the target declares after how long that is. */
import { scenario } from '../engine/scenario.ts'
import { every, given, inconclusive, observed } from '../judge/expect.ts'
import { fateOf } from '../judge/receipt.ts'
import { isTaken, renewalIncomplete } from '../judge/upload.ts'
import { files, finalize, prepare, sendingOf } from './upload-way.ts'

export const lapsed = scenario({
  title: 'a document that lapsed before it was finalized fails, and says what its renewal waits for',
  exchanges: ['prepared[]', 'lapsed[]'],
  needs: { principal: { with: ['knowledge.write'] }, optIn: ['slow'] },
  cost: { requests: 2, turns: 0 },
  async play(t) {
    const sending = sendingOf(t, 'document', files.text(t))
    const prepared = await prepare(t, 'prepared', sending)
    const seconds =
      t.dialect.uploads?.document?.lapsesAfterSeconds ??
      t.stop('nothing says when an upload lapses; declare `dialect.uploads.document.lapsesAfterSeconds`')
    await t.wait((seconds + 1) * 1_000)
    await finalize(t, 'lapsed', sending, prepared)
  },
  judge: {
    'UPL-RENEWAL': ({ prepared, lapsed: [outcome] }) =>
      given(every(prepared, isTaken), () => every(outcome ? [outcome] : [], renewalIncomplete)),
  },
  observe: {
    'GAP-UPLOAD-RENEWAL': ({ lapsed: [outcome] }) =>
      outcome ? observed(`lapsed: ${fateOf(outcome)}`) : inconclusive('nothing lapsed'),
  },
})
