import { expect, test } from 'vitest'
import type { Judgement } from '../../../scenario/judgement.ts'
import { done, frames, streamAnswer, token, replayHeader } from '../../../assertions/exchange.testkit.ts'
import { onlyDone, replayedStream } from './replayed-stream.ts'

const first = streamAnswer(frames(token('Hello there'), done))
const marked = {
  headers: [
    ['content-type', 'text/event-stream'],
    [replayHeader, 'true'],
  ] as const,
}
const another = { ...done, conversation_id: '7a1c0000-7f0e-4b7c-9a3e-0d9b7c1c4f11' }

test.for<[string, string, boolean, { one: Judgement['is']; clean: Judgement['is'] }]>([
  ['done alone', frames(done), true, { one: 'pass', clean: 'pass' }],
  ['the tokens and done', frames(token('Hello there'), done), true, { one: 'pass', clean: 'pass' }],
  ['done without the mark', frames(done), false, { one: 'pass', clean: 'pass' }],
  ['two done', frames(done, done), true, { one: 'fail', clean: 'fail' }],
  ['an error before done', frames({ type: 'error', error: 'x' }, done), true, { one: 'pass', clean: 'fail' }],
  ['a second turn', frames(another), false, { one: 'inconclusive', clean: 'inconclusive' }],
])('a streamed turn sent again, answered with %s', ([, body, isMarked, { one, clean }]) => {
  const again = streamAnswer(body, isMarked ? marked : {})
  expect([replayedStream(first, again).is, onlyDone(first, again).is]).toEqual([one, clean])
})
