/** Whether a thread knows its earlier messages, by an agent that says what it was told. */
import type { Judgement } from '../../scenario/judgement.ts'
import { scenario, type Context } from '../../scenario/scenario.ts'
import { all, check, every, given, inconclusive, pass } from '../../scenario/expect.ts'
import { field, fieldOf } from '../../assertions/reply.ts'
import { asked, conversationOf } from '../../assertions/turn.ts'
import type { Exchange } from '../../wire/exchange.ts'

const says = (turn: Exchange, word: string): boolean =>
  String(fieldOf(turn, 'response')).toLowerCase().includes(word)

/** An agent that only repeats its message says the word of one that holds it, and knows nothing. */
const repeats = (turn: Exchange): boolean => says(turn, String(asked(turn)?.['message']).toLowerCase())

/** More than once: an agent may well say something else first. */
async function ask(send: () => Promise<Exchange>, word: string): Promise<void> {
  for (let left = 3; left > 0; left--) if (says(await send(), word)) return
}

export const recalled = scenario({
  title: 'a conversation knows what was said in it before',
  exchanges: ['atOnce', 'toldStreamed', 'afterStream[]', 'told', 'streamed[]'],
  needs: { recall: true, extra: true },
  cost: { requests: 9, turns: 9 },
  async run(t) {
    // Nothing that anybody would guess, and one word for whoever is told it.
    const [first, second, third] = [0, 1, 2].map(() => `plum${10_000 + t.pick(90_000)}`) as [
      string,
      string,
      string,
    ]
    await t.chat('atOnce', t.recalling(first).both)
    const stream = { ...t.recalling(second).tell, stream: true }
    const place =
      conversationOf(await t.chat('toldStreamed', stream)) ?? t.stop('the turn named no conversation')
    const there = { ...t.recalling(second).ask, conversation_id: place }
    await ask(() => t.add('afterStream', there), second)
    // A conversation of its own: asked for the word, an agent may say the first one that it was told.
    const other =
      conversationOf(await t.chat('told', t.recalling(third).tell)) ??
      t.stop('the turn named no conversation')
    await ask(() => t.add('streamed', { ...there, conversation_id: other, stream: true }), third)
    for (const [name, word] of Object.entries({ atOnce: first, afterStream: second, streamed: third }))
      t.note(name, word)
  },
  judge: {
    'CONV-AFTER-STREAM': ({ atOnce, toldStreamed, afterStream }, context) =>
      knows([atOnce, toldStreamed], afterStream, 'afterStream', context),
    'CONV-CONTINUE-STREAM': ({ atOnce, told, streamed }, context) =>
      knows([atOnce, told], streamed, 'streamed', context),
  },
})

const spoken = (turn: Exchange): Judgement => field(turn, 'response', 'filled string')

/** The thread began with what was told. */
const apart = (atOnce: Exchange, told: Exchange): Judgement =>
  conversationOf(atOnce) === conversationOf(told)
    ? inconclusive('two turns that named no conversation were answered in the same')
    : pass

/** Answered where it was told; a turn that is answered elsewhere is judged where that is the subject. */
const within = (told: Exchange, answers: readonly Exchange[]): Judgement =>
  answers.every((turn) => conversationOf(turn) === conversationOf(told))
    ? pass
    : inconclusive('a turn was answered in another conversation than the one that it named')

/** Judged where the agent says the word when it is told and asked in one message. */
function knows(
  before: readonly [atOnce: Exchange, told: Exchange],
  answers: readonly Exchange[],
  name: string,
  { notes }: Context,
): Judgement {
  if (!says(before[0], String(notes['atOnce'])))
    return inconclusive(
      'told and asked in one message, the agent does not say the word; correct fixtures.recall',
    )
  if (answers.every(repeats)) return inconclusive('asked for the word, the agent repeats the question')
  const [atOnce, told] = before
  return given(all(apart(atOnce, told), every([...before, ...answers], spoken), within(told, answers)), () =>
    check(
      answers.some((turn) => says(turn, String(notes[name]))),
      'a reply with the word of the message before',
      `none in ${answers.length} replies`,
      answers.at(-1),
    ),
  )
}
