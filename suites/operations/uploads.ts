/** Uploading documents and spreadsheets: who may, what waits for the owner, and which files are taken. */
import { scenario } from '../engine/scenario.ts'
import { all, pass } from '../judge/expect.ts'
import { bothKinds, came, goesOn, notHeld, refusedBeside } from '../judge/upload.ts'
import type { UploadKind } from '../target/dialect.ts'
import { files, finalize, prepare, send, sendingOf, type File } from './upload-way.ts'
import type { Player } from '../engine/player.ts'

const writer = { principal: { with: ['knowledge.write'] } } as const

const refusal = (kind: UploadKind, file: (t: Player) => File) =>
  scenario({
    title: `a ${kind} is refused to a key without knowledge.write, and taken from one with it`,
    exchanges: ['twin[]', 'refused[]', 'prepared[]', 'finalized[]'],
    needs: { ...writer, others: { other: { without: ['knowledge.write'] } } },
    cost: { requests: 6, turns: 0 },
    async play(t) {
      await send(t, 'twin', sendingOf(t, kind, file(t)))
      await send(t, 'refused', sendingOf(t, kind, file(t)), 'other')
      const way = t.dialect.uploads?.[kind]
      if (!way?.prepare || !way.finalize) return
      const sending = sendingOf(t, kind, file(t))
      const prepared = await prepare(t, 'prepared', sending)
      if (goesOn(prepared)) await finalize(t, 'finalized', sending, prepared, 'other')
    },
    judge: {
      'UPL-SCOPE': ({ twin, refused, finalized }) =>
        all(
          refusedBeside(twin, refused, kind),
          finalized.length === 0 ? pass : refusedBeside(twin, finalized, kind),
        ),
    },
  })

export const documentScope = refusal('document', files.text)
export const spreadsheetScope = refusal('spreadsheet', files.csv)

export const spreadsheets = scenario({
  title: 'spreadsheets are taken as CSV and as an Excel workbook, and wait for nobody',
  exchanges: ['csv[]', 'workbook[]'],
  needs: writer,
  cost: { requests: 4, turns: 0 },
  async play(t) {
    await send(t, 'csv', sendingOf(t, 'spreadsheet', files.csv(t)))
    await send(t, 'workbook', sendingOf(t, 'spreadsheet', files.workbook(t)))
  },
  judge: {
    'UPL-SHEET-NOT-HELD': ({ csv, workbook }) =>
      came(csv, (one) => came(workbook, (other) => notHeld(one, other))),
    'UPL-SHEET-KINDS': ({ csv, workbook }) =>
      came(csv, (one) => came(workbook, (other) => bothKinds(one, other))),
  },
})
