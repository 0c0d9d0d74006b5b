import { describe, expect, test } from 'vitest'
import { heard, numbered } from '../../../assertions/heard.testkit.ts'
import { foreignReplies, violationsOf, type History } from './history-rules.ts'

const ran = heard('ran', 0, 4)
const rival = { message: 'n', content: 'n' } as const

/** Each violation as its name, its request and those beside it, by their place in the history, from 1. */
const found = (history: History): readonly string[] =>
  violationsOf(numbered(history)).map(
    ({ name, at, beside }) => `${name} ${at.id} beside ${beside.map(({ id }) => id).join(' ') || 'none'}`,
  )
const asStream = { content: 'm as stream', stream: true } as const

describe('all that nothing explains is named once, with what it contradicts', () => {
  test.for<readonly [string, History, readonly string[]]>([
    [
      'runs in a row',
      [ran, heard('ran', 5, 6), heard('ran', 7, 8)],
      ['original-after-reply 2 beside 1', 'original-after-reply 3 beside 1 2'],
    ],
    ['runs at once that ended at once', [ran, heard('ran', 0, 4)], ['second-run 2 beside 1']],
    ['the later of two runs, wherever it stands', [heard('ran', 1, 5), ran], ['second-run 1 beside 2']],
    ['a run of another message after a reply', [ran, heard('ran', 5, 6, rival)], ['rival-served 2 beside 1']],
    ['rivals that ended at once', [ran, heard('ran', 0, 4, rival)], ['rival-served 2 beside 1']],
    [
      'a replay beside a rival that ran later',
      [heard('lost', 0, 1), heard('replayed', 1, 2), heard('ran', 3, 4, rival)],
      ['rival-served 2 beside 3'],
    ],
    [
      'rivals that were both replayed',
      [
        heard('lost', 0, 1),
        heard('replayed', 1, 2),
        heard('lost', 0, 1, rival),
        heard('replayed', 3, 4, rival),
      ],
      ['rival-served 4 beside 2'],
    ],
    [
      'a replay of a rival whose own message ran',
      [ran, heard('ran', 1, 5, rival), heard('replayed', 6, 7)],
      ['rival-served 2 beside 1'],
    ],
    [
      'a replay that no turn of its message can have made',
      [heard('replayed', 0, 1), heard('refused', 0, 9)],
      ['replay-before-run 1 beside none'],
    ],
    ['a replay as soon as the turn was sent', [heard('replayed', 0, 1), heard('ran', 1, 2)], []],
    [
      'a replay before a lost rival',
      [heard('replayed', 0, 1), heard('lost', 0, 1, rival)],
      ['replay-before-run 1 beside none'],
    ],
    [
      'a replay beside a rival that was served',
      [heard('replayed', 0, 1), heard('ran', 0, 1, rival)],
      ['rival-served 1 beside 2'],
    ],
    [
      'replays that differ, where nobody saw the reply',
      [
        heard('lost', 0, 1),
        heard('replayed', 4, 5, { response: 'bye' }),
        heard('replayed', 2, 3),
        heard('replayed', 4, 5),
      ],
      ['different-response 2 beside 3'],
    ],
    [
      'replays that differ, beside a run',
      [heard('replayed', 1, 2, { response: 'bye' }), ran],
      ['different-response 1 beside 2'],
    ],
    [
      'a replay that equals one of two runs',
      [ran, heard('ran', 1, 5, { response: 'bye' }), heard('replayed', 6, 7, { response: 'bye' })],
      ['second-run 2 beside 1'],
    ],
    ['a replay of what nobody can read', [ran, heard('replayed', 5, 6, { response: null })], []],
    [
      'a replay that may be of a turn that was cut',
      [ran, heard('begun', 1, 2), heard('replayed', 5, 6, { response: 'bye' })],
      ['second-run 2 beside 1'],
    ],
    [
      'replays that differ after a turn that was cut',
      [heard('begun', 0, 1), heard('replayed', 2, 3), heard('replayed', 4, 5, { response: 'bye' })],
      ['different-response 3 beside 2'],
    ],
    [
      'a replay of what a rival was told',
      [heard('lost', 0, 1), heard('refused', 0, 1, { ...rival, response: 'bye' }), heard('replayed', 2, 3)],
      [],
    ],
    [
      'waiting for what was replayed',
      [heard('lost', 0, 1), heard('replayed', 2, 3), heard('in-progress', 4, 5)],
      ['in-progress-after-reply 3 beside 2'],
    ],
    [
      'waiting before the turn was sent',
      [heard('in-progress', 0, 1), heard('ran', 2, 3)],
      ['in-progress-without-run 1 beside none'],
    ],
    ['waiting at the very moment the turn is sent', [heard('in-progress', 0, 1), heard('ran', 1, 3)], []],
    ['waiting at the very moment the turn ends', [ran, heard('in-progress', 4, 5)], []],
    [
      'waiting beside a replay only',
      [heard('refused', 0, 1), heard('in-progress', 2, 3)],
      ['in-progress-without-run 2 beside none'],
    ],
    [
      'a conflict with a rival that was sent later',
      [ran, heard('conflict', 1, 2), heard('lost', 3, 4, rival)],
      ['conflict-without-rival 2 beside none'],
    ],
    ['a conflict as soon as the rival was sent', [heard('conflict', 1, 2), heard('ran', 2, 3, rival)], []],
    [
      'a conflict beside its own turn, which was cut',
      [heard('begun', 0, 1), heard('conflict', 1, 2)],
      ['conflict-without-rival 2 beside 1'],
    ],
    [
      'a conflict beside its own turn in another mode, which was cut',
      [heard('lost', 0, 1), heard('begun', 3, 9, asStream), heard('conflict', 1, 2)],
      ['conflict-without-rival 3 beside none'],
    ],
    [
      'a conflict with its own turn that was replayed',
      [ran, heard('replayed', 5, 6), heard('conflict', 7, 8)],
      ['conflict-after-own-reply 3 beside 1'],
    ],
    [
      'a conflict after the same message in another mode had ended',
      [{ ...ran, ...asStream }, heard('conflict', 5, 6)],
      [],
    ],
    [
      'a conflict with its own turn, which a rival ran too',
      [ran, heard('ran', 1, 5, rival), heard('conflict', 6, 7)],
      ['rival-served 2 beside 1'],
    ],
    [
      'uncertainty after a reply',
      [ran, heard('uncertain', 5, 6)],
      ['uncertain-after-reply 2 beside 1', 'uncertain-without-loss 2 beside none'],
    ],
    [
      'uncertainty before the lost one was sent',
      [ran, heard('uncertain', 1, 2), heard('lost', 3, 4)],
      ['uncertain-without-loss 2 beside none'],
    ],
    [
      'uncertainty as soon as the lost one was sent',
      [ran, heard('uncertain', 1, 2), heard('lost', 2, 3)],
      [],
    ],
    [
      'that nothing ran, whatever was said',
      [heard('replayed', 0, 1), heard('conflict', 2, 3), heard('in-progress', 4, 5)],
      ['no-run 1 beside 2 3'],
    ],
  ])('%s', ([, history, expected]) => {
    expect(found(history)).toEqual(expected)
  })
})

describe('a replay of another key', () => {
  const own = { response: 'own', conversation: 'o' } as const
  const foreignTo = (...histories: readonly History[]): readonly string[] =>
    foreignReplies(histories).map(({ name, at, beside }) => `${name} ${at.response} beside ${beside.length}`)
  const there = [heard('ran', 0, 4)]

  test.for<readonly [string, readonly History[], readonly string[]]>([
    [
      'is told',
      [[heard('ran', 0, 1, own), heard('replayed', 2, 3)], there],
      ['reply-of-another-key hello beside 1'],
    ],
    [
      'is told where the own turn was not seen',
      [[heard('lost', 0, 1), heard('replayed', 2, 3)], there, there],
      ['reply-of-another-key hello beside 2'],
    ],
    ['is its own where its own turn says the same', [[ran, heard('replayed', 5, 6)], there], []],
    [
      'is none where nobody said it',
      [[heard('ran', 0, 1, own), heard('replayed', 2, 3, { response: 'else' })], there],
      [],
    ],
    [
      'is none in the conversation of its own',
      [[heard('ran', 0, 1, own), heard('replayed', 2, 3, { conversation: 'o' })], there],
      [],
    ],
    [
      'is none where it cannot be read',
      [[heard('lost', 0, 1), heard('replayed', 2, 3, { response: null })], [{ ...ran, response: null }]],
      [],
    ],
    ['is no run', [[heard('ran', 0, 1, own), heard('ran', 2, 3)], there], []],
    [
      'is not what another key was replayed',
      [
        [heard('lost', 0, 1), heard('replayed', 2, 3)],
        [heard('lost', 0, 1), heard('replayed', 2, 3)],
      ],
      [],
    ],
    [
      'is told though a replay of its own said so before',
      [[heard('lost', 0, 1), heard('replayed', 2, 3), heard('replayed', 4, 5)], there],
      ['reply-of-another-key hello beside 1', 'reply-of-another-key hello beside 1'],
    ],
  ])('%s', ([, histories, expected]) => {
    expect(foreignTo(...histories)).toEqual(expected)
  })
})
