/** An upload that is sent again with the same two keys, afterwards or at once, is stored once. */
import type { Player } from '../engine/player.ts'
import { scenario } from '../engine/scenario.ts'
import { given } from '../judge/expect.ts'
import { came, goesOn, isTaken, oneTask, sameUpload, storedOnce } from '../judge/upload.ts'
import { lookUntil, looks, patience } from './patience.ts'
import { files, finalize, finish, prepare, send, sendingOf, storedOf } from './upload-way.ts'

const kind = 'spreadsheet'

/** Notes how many there are when there is one more, and a little later. */
async function settled<N extends 'effect[]'>(t: Player<N | 'effect[]'>, note: string, before: number | null) {
  if (before === null) return null
  const look = async () => (await storedOf(t, 'effect', kind)) ?? 0
  await lookUntil(t, patience.short, look, (count) => count > before)
  await t.wait(1_000 * t.timeScale)
  const after = await look()
  t.note(`before ${note}`, before)
  t.note(`after ${note}`, after)
  return after
}

export const again = scenario({
  title: 'a spreadsheet that is sent again with the same two keys is stored once',
  exchanges: ['first[]', 'again[]', 'tasks[]', 'effect[]'],
  needs: { principal: { with: ['knowledge.write'] } },
  cost: { requests: 10 + looks.short + 2 * looks.long, turns: 0 },
  async play(t) {
    const sending = sendingOf(t, kind, files.csv(t))
    const before = await storedOf(t, 'effect', kind)
    await finish(t, 'tasks', await send(t, 'first', sending))
    await finish(t, 'tasks', await send(t, 'again', sending))
    await send(t, 'again', sending)
    await settled(t, 'again', before)
  },
  judge: {
    'UPL-RETRY-ONCE': ({ first, again }, { dialect, notes }) =>
      given(came(first, isTaken), () =>
        'after again' in notes
          ? storedOnce(notes['before again'], notes['after again'], again)
          : sameUpload(first, again, dialect, kind),
      ),
  },
})

export const race = scenario({
  title: 'a spreadsheet that is finalized three times at once with one key is stored once',
  exchanges: ['prepared[]', 'race[]', 'tasks[]', 'effect[]'],
  needs: { principal: { with: ['knowledge.write'] }, extra: true },
  cost: { requests: 7 + looks.short + looks.long, turns: 0 },
  async play(t) {
    const sending = sendingOf(t, kind, files.csv(t))
    const before = await storedOf(t, 'effect', kind)
    const prepared = await prepare(t, 'prepared', sending)
    if (!goesOn(prepared)) t.stop('the upload could not be prepared')
    const racing = await Promise.all([1, 2, 3].map(() => finalize(t, 'race', sending, prepared)))
    for (const one of racing.filter(goesOn).slice(0, 1)) await finish(t, 'tasks', one)
    await settled(t, 'race', before)
  },
  judge: {
    'UPL-RETRY-ONCE': ({ prepared, race }, { dialect, notes }) =>
      given(came(prepared, isTaken), () =>
        given(
          came(
            [...race].sort((one, other) => Number(goesOn(one)) - Number(goesOn(other))),
            isTaken,
          ),
          () =>
            'after race' in notes
              ? storedOnce(notes['before race'], notes['after race'], race)
              : oneTask(race, dialect),
        ),
      ),
  },
})
