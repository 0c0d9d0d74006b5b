/** Concurrent turns of several conversations. */
import { scenario } from '../../scenario/scenario.ts'
import { all } from '../../scenario/expect.ts'
import { alphabets, keepsAstral, markedText, ownReplies, ownTokens } from '../assertions/reply-isolation.ts'

/** Of four turns the first two are answered as JSON. */
const plain = 2

export const ownWords = scenario({
  title: 'concurrent turns each receive the reply to their own message',
  exchanges: ['turns[]'],
  cost: { requests: alphabets.length, turns: alphabets.length },
  async run(t) {
    await t.together(
      'turns',
      alphabets.map((alphabet, at) => ({
        ...t.echoing(markedText(alphabet, (below) => t.pick(below))),
        ...(at < plain ? {} : { stream: true }),
      })),
    )
  },
  judge: {
    'RES-RESPONSE-STRING': ({ turns }) =>
      all(ownReplies(turns.slice(0, plain), turns), keepsAstral(turns.slice(0, plain), turns.slice(plain))),
    'SSE-DONE-RESPONSE': ({ turns }) => ownReplies(turns.slice(plain), turns),
    'SSE-TOKEN': ({ turns }) => ownTokens(turns.slice(plain), turns),
  },
})
