/** Whether a conversation includes its earlier messages, by an agent that returns a word it was given. */
import { scenario, type Context, type Judgement } from '../../scenario/scenario.ts'
import { all, check, every, given, inconclusive, pass } from '../../scenario/expect.ts'
import { refused } from '../../assertions/answer.ts'
import { replayed } from '../../assertions/once.ts'
import { field, fieldOf } from '../../assertions/reply.ts'
import { asked, conversationOf, toContinue } from '../../assertions/turn.ts'
import type { Exchange } from '../../wire/exchange.ts'

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
  title: 'a conversation includes its earlier messages, each once, and none that was refused',
  exchanges: ['atOnce', 'givenStreamed', 'afterStream[]', 'introduced', 'again[]', 'conflict', 'streamed[]'],
  needs: { recall: true, extra: true },
  cost: { requests: 10 + 2 * replays, turns: 10 + 2 * replays },
  async run(t) {
    // Nobody can guess these words, and each conversation has its own.
    const word = (name: string): string => {
      const made = `plum${10_000 + t.pick(90_000)}`
      t.note(name, made)
      return made
    }
    const [first, second, third] = [word('atOnce'), word('afterStream'), word('streamed')]
    const remember = (some: string) => t.recalling(some).tell
    const replayOften = async (turn: Exchange): Promise<void> => {
      for (let left = replays; left > 0; left--) await t.resendTo('again', turn)
    }
    await t.chat('atOnce', t.recalling(first).both)
    const given = await t.chat('givenStreamed', { ...remember(second), stream: true })
    const place = toContinue(t, given)
    await replayOften(given)
    const there = { ...t.recalling(second).ask, conversation_id: place }
    await ask(() => t.add('afterStream', there), second)
    // A separate conversation: an agent may return the first word that it was given.
    const idempotency_key = t.key()
    const introduced = await t.chat('introduced', { ...remember(third), idempotency_key })
    const other = toContinue(t, introduced)
    await replayOften(introduced)
    await t.chat('conflict', { ...remember(word('conflict')), idempotency_key })
    await ask(() => t.add('streamed', { ...there, conversation_id: other, stream: true }), third)
  },
  judge: {
    'CONV-AFTER-STREAM': ({ atOnce, givenStreamed, afterStream }, context) =>
      knows([atOnce, givenStreamed], afterStream, 'afterStream', context),
    'CONV-CONTINUE-STREAM': ({ atOnce, introduced, streamed }, context) =>
      knows([atOnce, introduced], streamed, 'streamed', context),
    // A turn that ran again would be in its conversation again.
    'IDEM-REPLAY-AGAIN': ({ atOnce, givenStreamed, introduced, again, afterStream, streamed }, { notes }) =>
      given(
        all(
          replayed(givenStreamed, ...again.slice(0, replays)),
          replayed(introduced, ...again.slice(replays)),
        ),
        () => {
          const timesIn = (name: string, turn = atOnce): number => times(turn, String(notes[name]))
          const got = [timesIn('afterStream', afterStream.at(-1)), timesIn('streamed', streamed.at(-1))]
          if (timesIn('atOnce') !== 1 || got.includes(0))
            return inconclusive('the agent does not return a word once')
          return check(!got.includes(1 + replays), 'each word once', `${Math.max(...got)} times`, introduced)
        },
      ),
    'IDEM-CONFLICT-UNCHANGED': ({ conflict, streamed }, { notes }) =>
      given(refused(conflict), () => {
        const noted = streamed.find((turn) => says(turn, String(notes['conflict'])))
        return noted || streamed.some((turn) => says(turn, String(notes['streamed'])))
          ? check(!noted, 'no word of the message that was refused', 'that word', noted)
          : inconclusive('the agent returns no word')
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
