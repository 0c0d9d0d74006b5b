/** An upload that is repeated with the same two keys, later or concurrently, is stored once. */
import { scenario } from '../../scenario/scenario.ts'
import { growth } from '../assertions/done-once.ts'
import { given, pass, inTurn, need } from '../../scenario/expect.ts'
import { judgeUpload, goesOn, isTaken, oneTask, sameUpload, storedOnce } from '../assertions/upload.ts'
import { mostPolls } from '../tasks/polling.ts'
import { measureGrowth, mostGrowthReads } from '../execution/effect-growth.ts'
import {
  files,
  finalize,
  readUploadTask,
  prepareUpload,
  sendUpload,
  sendingOf,
  storedOf,
} from './upload-steps.ts'

const kind = 'spreadsheet'

export const again = scenario({
  title: 'a spreadsheet that is sent again with the same two keys is stored once',
  exchanges: ['first[]', 'again[]', 'tasks[]', 'effect[]'],
  needs: { uploads: 'spreadsheet', principal: { with: ['knowledge.write'] } },
  cost: { requests: 8 + mostGrowthReads + 2 * mostPolls.long, turns: 0 },
  async run(t) {
    const sending = sendingOf(t, kind, files.csv(t))
    await measureGrowth(
      t,
      () => storedOf(t, 'effect', kind),
      async () => {
        await readUploadTask(t, 'tasks', await sendUpload(t, 'first', sending))
        await readUploadTask(t, 'tasks', await sendUpload(t, 'again', sending))
        await sendUpload(t, 'again', sending)
      },
    )
  },
  judge: {
    'UPL-RETRY-ONCE': ({ first, again }, { dialect, notes }) =>
      given(judgeUpload(first, isTaken), () =>
        growth in notes ? storedOnce(notes[growth], again, notes) : sameUpload(first, again, dialect, kind),
      ),
  },
})

export const race = scenario({
  title: 'a spreadsheet that is finalized three times at once with one key is stored once',
  exchanges: ['prepared[]', 'race[]', 'tasks[]', 'effect[]'],
  needs: { uploads: 'spreadsheet', principal: { with: ['knowledge.write'] }, extra: true },
  cost: { requests: 5 + mostGrowthReads + mostPolls.long, turns: 0 },
  async run(t) {
    const sending = sendingOf(t, kind, files.csv(t))
    await measureGrowth(
      t,
      () => storedOf(t, 'effect', kind),
      async () => {
        const inOne = t.dialect.uploads?.[kind]?.prepare === undefined
        const prepared = inOne ? undefined : await prepareUpload(t, 'prepared', sending)
        if (prepared && !goesOn(prepared)) t.stop('the upload could not be prepared')
        const racing = await Promise.all([1, 2, 3].map(() => finalize(t, 'race', sending, prepared)))
        for (const one of racing.filter(goesOn).slice(0, 1)) await readUploadTask(t, 'tasks', one)
      },
    )
  },
  judge: {
    'UPL-RETRY-ONCE': ({ prepared, race }, { dialect, notes }) =>
      inTurn(
        need(prepared.length === 0 ? pass : judgeUpload(prepared, isTaken)),
        need(
          judgeUpload(
            [...race].sort((one, other) => Number(goesOn(one)) - Number(goesOn(other))),
            isTaken,
          ),
        ),
        () => (growth in notes ? storedOnce(notes[growth], race, notes) : oneTask(race, dialect)),
      ),
  },
})
