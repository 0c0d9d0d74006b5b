/** Upload of documents and spreadsheets: authorization, approval, accepted files, and those that are sent again. */
import { scenario, type Driver } from '../../scenario/scenario.ts'
import { all, given, pass } from '../../scenario/expect.ts'
import { growth, raced } from '../assertions/done-once.ts'
import {
  bothKinds,
  judgeUpload,
  goesOn,
  isTaken,
  notHeld,
  oneTask,
  sameUpload,
  storedOnce,
  uploadRefusedBeside,
} from '../assertions/upload.ts'
import { openToo, receiptStatus } from '../assertions/receipt.ts'
import type { UploadKind } from '../../config/dialect.ts'
import { measureGrowth, mostGrowthReads } from '../execution/effect-growth.ts'
import { mostPolls } from '../tasks/polling.ts'
import {
  files,
  finalize,
  prepareUpload,
  readUploadTask,
  sendUpload,
  sendingOf,
  storedOf,
  type File,
} from './upload-steps.ts'
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

const kind = 'spreadsheet'

/** One may be refused during the import of the other: then it is sent once more, and if need be the other after it. */
async function inOtherOrder(t: Driver<'csv[]' | 'workbook[]'>, csv: Exchange, workbook: Exchange) {
  const [isCsv, isWorkbook] = [goesOn(csv), goesOn(workbook)]
  if (isCsv === isWorkbook || [csv, workbook].some((one) => receiptStatus(one) === 'pending_approval')) return
  const sendCsv = () => sendUpload(t, 'csv', sendingOf(t, kind, files.csv(t)))
  const sendWorkbook = () => sendUpload(t, 'workbook', sendingOf(t, kind, files.workbook(t)))
  const [refused, taken] = isCsv ? [sendWorkbook, sendCsv] : [sendCsv, sendWorkbook]
  await t.settle(2_000)
  if (!goesOn(await refused())) await taken()
}

/** One that was taken is the outcome of a race. */
const takenLast = (race: readonly Exchange[]): readonly Exchange[] =>
  race.toSorted((one, other) => Number(goesOn(one)) - Number(goesOn(other)))

export const spreadsheets = scenario({
  title:
    'spreadsheets are taken as CSV and as an Excel workbook, and wait for nobody; one that is sent again with the same two keys, or finalized three times at once, is stored once',
  exchanges: ['first[]', 'again[]', 'prepared[]', 'race[]', 'csv[]', 'workbook[]', 'tasks[]', 'effect[]'],
  needs: { ...writer, uploads: kind },
  cost: { requests: 12 + 2 * mostGrowthReads + 3 * mostPolls.long, turns: 0 },
  async run(t) {
    const [csv, workbook] = [sendingOf(t, kind, files.csv(t)), sendingOf(t, kind, files.workbook(t))]
    const outcomes: Exchange[] = []
    await measureGrowth(t, () => storedOf(t, 'effect', kind), {
      [growth]: async () => {
        const first = await sendUpload(t, 'first', csv)
        outcomes.push(first)
        await readUploadTask(t, 'tasks', first)
        await readUploadTask(t, 'tasks', await sendUpload(t, 'again', csv))
      },
      [raced]: async () => {
        const way = t.dialect.uploads?.[kind] ?? {}
        const prepared =
          way.prepare && way.finalize ? await prepareUpload(t, 'prepared', workbook) : undefined
        const finish = () =>
          way.finalize ? finalize(t, 'race', workbook, prepared) : prepareUpload(t, 'race', workbook)
        const isReady = prepared === undefined || goesOn(prepared)
        const race = isReady ? await Promise.all([finish(), finish(), finish()]) : [prepared]
        for (const outcome of takenLast(race).slice(-1)) {
          outcomes.push(outcome)
          await readUploadTask(t, 'tasks', outcome)
        }
      },
    })
    const [one, other] = outcomes
    if (one && other) await inOtherOrder(t, one, other)
  },
  judge: {
    'UPL-SHEET-NOT-HELD': ({ first, prepared, race, csv, workbook }) =>
      judgeUpload([...first, ...csv], (one) =>
        judgeUpload([...prepared, ...takenLast(race), ...workbook], (other) => notHeld(one, other)),
      ),
    'UPL-SHEET-KINDS': ({ first, prepared, race, csv, workbook }) =>
      judgeUpload([...first, ...csv], (one) =>
        judgeUpload([...prepared, ...takenLast(race), ...workbook], (other) => bothKinds(one, other)),
      ),
    'UPL-RETRY-ONCE': (sent, { dialect, notes }) => {
      const { first, again } = sent
      const later = given(judgeUpload(first, isTaken), () =>
        growth in notes ? storedOnce(notes[growth], again, notes) : sameUpload(first, again, dialect, kind),
      )
      if (later.is === 'fail') return later
      // The race is one more look.
      const { race } = sent
      const atOnce = given(judgeUpload(race.filter(goesOn), isTaken), () =>
        raced in notes ? storedOnce(notes[raced], race, notes) : oneTask(race, dialect),
      )
      return atOnce.is === 'fail' ? atOnce : later
    },
  },
})
