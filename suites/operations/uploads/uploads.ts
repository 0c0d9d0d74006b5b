/** Upload of documents and spreadsheets: authorization, approval, and accepted files. */
import { scenario, type Driver } from '../../scenario/scenario.ts'
import { all, given, pass } from '../../scenario/expect.ts'
import {
  bothKinds,
  judgeUpload,
  goesOn,
  isTaken,
  notHeld,
  uploadRefusedBeside,
} from '../assertions/upload.ts'
import { openToo, receiptStatus } from '../assertions/receipt.ts'
import type { UploadKind } from '../../config/dialect.ts'
import { files, finalize, prepareUpload, sendUpload, sendingOf, type File } from './upload-steps.ts'
import type { Exchange } from '../../wire/exchange.ts'

const writer = { principal: { with: ['knowledge.write'] } } as const

/** A held upload continues after its approval, if there is a state provider for it. */
async function allowed(t: Driver, held: Exchange, then: () => Promise<unknown>): Promise<void> {
  const approvalId = receiptStatus(held) === 'pending_approval' ? t.approvalOf(held) : null
  if (approvalId === null || t.providerOf('approval.approved') === 'none') return
  await t.enter('approval.approved', { approvalId })
  await then()
}

const uploadScopeScenario = (kind: UploadKind, file: (t: Driver) => File) =>
  scenario({
    title: `a ${kind} is refused to a key without knowledge.write, and accepted from one with it`,
    exchanges: ['twin[]', 'refused[]', 'prepared[]', 'finalized[]', 'approved[]', 'narrow[]'],
    needs: {
      ...writer,
      others: { other: { without: ['knowledge.write'] } },
      also: { narrow: { with: ['knowledge.write'], without: ['agent_design_read'] } },
      uploads: kind,
    },
    cost: { requests: 9, turns: 0 },
    async run(t) {
      const twin = sendingOf(t, kind, file(t))
      const held = await sendUpload(t, 'twin', twin)
      await sendUpload(t, 'refused', sendingOf(t, kind, file(t)), 'other')
      if (kind === 'spreadsheet' && t.has('narrow'))
        await sendUpload(t, 'narrow', sendingOf(t, kind, file(t)), 'narrow')
      await allowed(t, held, () => sendUpload(t, 'approved', twin, 'other'))
      const way = t.dialect.uploads?.[kind]
      if (!way?.prepare || !way.finalize) return
      const sending = sendingOf(t, kind, file(t))
      const prepared = await prepareUpload(t, 'prepared', sending)
      if (goesOn(prepared)) await finalize(t, 'finalized', sending, prepared, 'other')
    },
    judge: {
      'UPL-SCOPE': ({ twin, refused, finalized, approved, narrow }) =>
        all(
          narrow.length === 0
            ? pass
            : given(judgeUpload(twin, isTaken), () => judgeUpload(narrow, openToAnother)),
          ...[refused, finalized, approved].map((steps) =>
            steps.length === 0 && steps !== refused ? pass : uploadRefusedBeside(twin, steps, kind),
          ),
        ),
    },
  })

const openToAnother = (outcome: Exchange) =>
  openToo(outcome, 'a spreadsheet to be taken from a key with knowledge.write')

export const documentScope = uploadScopeScenario('document', files.text)
export const spreadsheetScope = uploadScopeScenario('spreadsheet', files.csv)

export const spreadsheets = scenario({
  title: 'spreadsheets are taken as CSV and as an Excel workbook, and wait for nobody',
  exchanges: ['csv[]', 'workbook[]'],
  needs: { ...writer, uploads: 'spreadsheet' },
  cost: { requests: 4, turns: 0 },
  async run(t) {
    const csv = () => sendUpload(t, 'csv', sendingOf(t, 'spreadsheet', files.csv(t)))
    const workbook = () => sendUpload(t, 'workbook', sendingOf(t, 'spreadsheet', files.workbook(t)))
    const first = [await csv(), await workbook()]
    const [isCsv, isWorkbook] = first.map(goesOn)
    if (isCsv === isWorkbook || first.some((one) => receiptStatus(one) === 'pending_approval')) return
    // One may be refused during the import of the other; then the other order is refused too.
    const [refused, taken] = isCsv ? [workbook, csv] : [csv, workbook]
    await t.settle(2_000)
    if (!goesOn(await refused())) await taken()
  },
  judge: {
    'UPL-SHEET-NOT-HELD': ({ csv, workbook }) =>
      judgeUpload(csv, (one) => judgeUpload(workbook, (other) => notHeld(one, other))),
    'UPL-SHEET-KINDS': ({ csv, workbook }) =>
      judgeUpload(csv, (one) => judgeUpload(workbook, (other) => bothKinds(one, other))),
  },
})
