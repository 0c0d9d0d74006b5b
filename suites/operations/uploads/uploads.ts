/** Uploading documents and spreadsheets: who may, what waits for the owner, and which files are taken. */
import { scenario } from '../../scenario/scenario.ts'
import { all, given, pass } from '../../scenario/expect.ts'
import { bothKinds, came, goesOn, isTaken, notHeld, refusedBeside } from '../assertions/upload.ts'
import { openToo, receiptStatus } from '../assertions/receipt.ts'
import type { UploadKind } from '../../config/dialect.ts'
import { files, finalize, prepare, send, sendingOf, type File } from './upload-steps.ts'
import type { Driver } from '../../scenario/driver.ts'
import type { Exchange } from '../../wire/exchange.ts'

const writer = { principal: { with: ['knowledge.write'] } } as const

/** What waits goes on once the owner allowed it, where that can be had here. */
async function allowed(t: Driver, held: Exchange, then: () => Promise<unknown>): Promise<void> {
  const approvalId = receiptStatus(held) === 'pending_approval' ? t.approvalOf(held) : null
  if (approvalId === null || t.providerOf('approval.approved') === 'none') return
  await t.enter('approval.approved', { approvalId })
  await then()
}

const refusal = (kind: UploadKind, file: (t: Driver) => File) =>
  scenario({
    title: `a ${kind} is refused to a key without knowledge.write, and taken from one with it`,
    exchanges: ['twin[]', 'refused[]', 'prepared[]', 'finalized[]', 'approved[]'],
    needs: { ...writer, others: { other: { without: ['knowledge.write'] } } },
    cost: { requests: 7, turns: 0 },
    async run(t) {
      const twin = sendingOf(t, kind, file(t))
      const held = await send(t, 'twin', twin)
      await send(t, 'refused', sendingOf(t, kind, file(t)), 'other')
      await allowed(t, held, () => send(t, 'approved', twin, 'other'))
      const way = t.dialect.uploads?.[kind]
      if (!way?.prepare || !way.finalize) return
      const sending = sendingOf(t, kind, file(t))
      const prepared = await prepare(t, 'prepared', sending)
      if (goesOn(prepared)) await finalize(t, 'finalized', sending, prepared, 'other')
    },
    judge: {
      'UPL-SCOPE': ({ twin, refused, finalized, approved }) =>
        all(
          ...[refused, finalized, approved].map((steps) =>
            steps.length === 0 && steps !== refused ? pass : refusedBeside(twin, steps, kind),
          ),
        ),
    },
  })

export const documentScope = refusal('document', files.text)
export const spreadsheetScope = refusal('spreadsheet', files.csv)

export const spreadsheetForScope = scenario({
  title: 'a spreadsheet is taken from a key with knowledge.write that has not the scopes for more',
  exchanges: ['twin[]', 'narrow[]'],
  needs: {
    ...writer,
    others: { narrow: { with: ['knowledge.write'], without: ['agent_design_read'] } },
    extra: true,
  },
  cost: { requests: 4, turns: 0 },
  async run(t) {
    await send(t, 'twin', sendingOf(t, 'spreadsheet', files.csv(t)))
    await send(t, 'narrow', sendingOf(t, 'spreadsheet', files.csv(t)), 'narrow')
  },
  judge: {
    'UPL-SCOPE': ({ twin, narrow }) =>
      given(came(twin, isTaken), () =>
        came(narrow, (outcome) =>
          openToo(outcome, 'a spreadsheet to be taken from a key with knowledge.write'),
        ),
      ),
  },
})

export const spreadsheets = scenario({
  title: 'spreadsheets are taken as CSV and as an Excel workbook, and wait for nobody',
  exchanges: ['csv[]', 'workbook[]'],
  needs: writer,
  cost: { requests: 4, turns: 0 },
  async run(t) {
    const csv = () => send(t, 'csv', sendingOf(t, 'spreadsheet', files.csv(t)))
    const workbook = () => send(t, 'workbook', sendingOf(t, 'spreadsheet', files.workbook(t)))
    const first = [await csv(), await workbook()]
    const [isCsv, isWorkbook] = first.map(goesOn)
    if (isCsv === isWorkbook || first.some((one) => receiptStatus(one) === 'pending_approval')) return
    // One may be refused because the other is being imported; then the other is refused as well.
    const [refused, taken] = isCsv ? [workbook, csv] : [csv, workbook]
    await t.settle(2_000)
    if (!goesOn(await refused())) await taken()
  },
  judge: {
    'UPL-SHEET-NOT-HELD': ({ csv, workbook }) =>
      came(csv, (one) => came(workbook, (other) => notHeld(one, other))),
    'UPL-SHEET-KINDS': ({ csv, workbook }) =>
      came(csv, (one) => came(workbook, (other) => bothKinds(one, other))),
  },
})
