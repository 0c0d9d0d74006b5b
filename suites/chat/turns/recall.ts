/** Whether a conversation includes its earlier messages, by an agent that returns a word it was given. */
import { scenario, type Context, type Judgement } from '../../scenario/scenario.ts'
import { all, check, every, given, inconclusive, pass } from '../../scenario/expect.ts'
import { replayed } from '../../assertions/once.ts'
import { field, fieldOf } from '../../assertions/reply.ts'
import { asked, conversationOf } from '../../assertions/turn.ts'
import type { Exchange } from '../../wire/exchange.ts'

/** How often the response has it. */
const times = (turn: Exchange | undefined, word: string): number =>
  turn ? String(fieldOf(turn, 'response')).toLowerCase().split(word).length - 1 : 0
const says = (turn: Exchange, word: string): boolean => times(turn, word) > 0

/** An agent that repeats its message returns the word without remembering it. */
const repeats = (turn: Exchange): boolean => says(turn, String(asked(turn)?.['message']).toLowerCase())

/** Asks up to three times, since an agent may reply something else first. */
async function ask(send: () => Promise<Exchange>, word: string): Promise<void> {
  for (let left = 3; left > 0; left--) if (says(await send(), word)) return
}

/** More often than an agent repeats a word by itself. */
const replays = 3

export const recalled = scenario({
  title: 'a conversation includes its earlier messages',
  exchanges: ['atOnce', 'givenStreamed', 'afterStream[]', 'introduced', 'again[]', 'streamed[]'],
  needs: { recall: true, extra: true },
  cost: { requests: 9 + replays, turns: 9 + replays },
  async run(t) {
    // Nobody can guess these words, and each conversation has its own.
    const [first, second, third] = [0, 1, 2].map(() => `plum${10_000 + t.pick(90_000)}`) as [
      string,
      string,
      string,
    ]
    await t.chat('atOnce', t.recalling(first).both)
    const stream = { ...t.recalling(second).tell, stream: true }
    const place =
      conversationOf(await t.chat('givenStreamed', stream)) ?? t.stop('the turn named no conversation')
    const there = { ...t.recalling(second).ask, conversation_id: place }
    await ask(() => t.add('afterStream', there), second)
    // A separate conversation: an agent may return the first word that it was given.
    const introduced = await t.chat('introduced', t.recalling(third).tell)
    const other = conversationOf(introduced) ?? t.stop('the turn named no conversation')
    for (let left = replays; left > 0; left--) await t.resendTo('again', introduced)
    await ask(() => t.add('streamed', { ...there, conversation_id: other, stream: true }), third)
    for (const [name, word] of Object.entries({ atOnce: first, afterStream: second, streamed: third }))
      t.note(name, word)
  },
  judge: {
    'CONV-AFTER-STREAM': ({ atOnce, givenStreamed, afterStream }, context) =>
      knows([atOnce, givenStreamed], afterStream, 'afterStream', context),
    'CONV-CONTINUE-STREAM': ({ atOnce, introduced, streamed }, context) =>
      knows([atOnce, introduced], streamed, 'streamed', context),
    // What was replayed did not reach the agent again.
    'IDEM-REPLAY-AGAIN': ({ introduced, again, afterStream, streamed }, { notes }) =>
      given(replayed(introduced, ...again), () => {
        const [usual, got] = [
          times(afterStream.at(-1), String(notes['afterStream'])),
          times(streamed.at(-1), String(notes['streamed'])),
        ]
        if (usual !== 1 || got === 0) return inconclusive('the agent does not return the word once')
        return check(got !== 1 + replays, 'the word once', `${got} times`, streamed.at(-1))
      }),
  },
})

const spoken = (turn: Exchange): Judgement => field(turn, 'response', 'filled string')

const apart = (atOnce: Exchange, introduced: Exchange): Judgement =>
  conversationOf(atOnce) === conversationOf(introduced)
    ? inconclusive('two turns that named no conversation were answered in the same')
    : pass

/** The turns are in the conversation where the word was given, which other scenarios judge. */
const within = (introduced: Exchange, answers: readonly Exchange[]): Judgement =>
  answers.every((turn) => conversationOf(turn) === conversationOf(introduced))
    ? pass
    : inconclusive('a turn was answered in another conversation than the one that it named')

/** Judged if the agent returns the word when it is given and asked for in one message. */
function knows(
  before: readonly [atOnce: Exchange, introduced: Exchange],
  answers: readonly Exchange[],
  name: string,
  { notes }: Context,
): Judgement {
  if (!says(before[0], String(notes['atOnce'])))
    return inconclusive(
      'given and asked for the word in one message, the agent does not return it; correct fixtures.recall',
    )
  if (answers.every(repeats)) return inconclusive('asked for the word, the agent repeats the question')
  const [atOnce, introduced] = before
  return given(
    all(apart(atOnce, introduced), every([...before, ...answers], spoken), within(introduced, answers)),
    () =>
      check(
        answers.some((turn) => says(turn, String(notes[name]))),
        'a reply with the word of the message before',
        `none in ${answers.length} replies`,
        answers.at(-1),
      ),
  )
}
