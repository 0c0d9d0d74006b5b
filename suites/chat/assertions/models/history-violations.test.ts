import { describe, expect, test } from 'vitest'
import { keyedRequest, numbered } from './keyed-request.testkit.ts'
import { foreignReplies, violationsOf, type KeyHistory } from './history-rules.ts'

const ran = keyedRequest('ran', 0, 4)
const rival = { message: 'n', content: 'n' } as const

/** Each violation as its name, its request and the contradicted ones, numbered from 1. */
const found = (history: KeyHistory): readonly string[] =>
  violationsOf(numbered(history)).map(
    ({ name, at, beside }) => `${name} ${at.id} beside ${beside.map(({ id }) => id).join(' ') || 'none'}`,
  )
const asStream = { content: 'm as stream', stream: true } as const

describe('each unexplained request is reported once, with those it contradicts', () => {
  test.for<readonly [string, KeyHistory, readonly string[]]>([
    [
      'runs in a row',
      [ran, keyedRequest('ran', 5, 6), keyedRequest('ran', 7, 8)],
      ['original-after-reply 2 beside 1', 'original-after-reply 3 beside 1 2'],
    ],
    ['runs at once that ended at once', [ran, keyedRequest('ran', 0, 4)], ['second-run 2 beside 1']],
    [
      'the later of two runs, wherever it stands',
      [keyedRequest('ran', 1, 5), ran],
      ['second-run 1 beside 2'],
    ],
    [
      'a run of another message after a reply',
      [ran, keyedRequest('ran', 5, 6, rival)],
      ['rival-served 2 beside 1'],
    ],
    ['rivals that ended at once', [ran, keyedRequest('ran', 0, 4, rival)], ['rival-served 2 beside 1']],
    [
      'a replay beside a rival that ran later',
      [keyedRequest('lost', 0, 1), keyedRequest('replayed', 1, 2), keyedRequest('ran', 3, 4, rival)],
      ['rival-served 2 beside 3'],
    ],
    [
      'rivals that were both replayed',
      [
        keyedRequest('lost', 0, 1),
        keyedRequest('replayed', 1, 2),
        keyedRequest('lost', 0, 1, rival),
        keyedRequest('replayed', 3, 4, rival),
      ],
      ['rival-served 4 beside 2'],
    ],
    [
      'a replay of a rival whose own message ran',
      [ran, keyedRequest('ran', 1, 5, rival), keyedRequest('replayed', 6, 7)],
      ['rival-served 2 beside 1'],
    ],
    [
      'a replay that no turn of its message can have made',
      [keyedRequest('replayed', 0, 1), keyedRequest('refused', 0, 9)],
      ['replay-before-run 1 beside none'],
    ],
    [
      'a replay as soon as the turn was sent',
      [keyedRequest('replayed', 0, 1), keyedRequest('ran', 1, 2)],
      [],
    ],
    [
      'a replay before a lost rival',
      [keyedRequest('replayed', 0, 1), keyedRequest('lost', 0, 1, rival)],
      ['replay-before-run 1 beside none'],
    ],
    [
      'a replay beside a rival that was served',
      [keyedRequest('replayed', 0, 1), keyedRequest('ran', 0, 1, rival)],
      ['rival-served 1 beside 2'],
    ],
    [
      'replays that differ, where nobody saw the reply',
      [
        keyedRequest('lost', 0, 1),
        keyedRequest('replayed', 4, 5, { response: 'bye' }),
        keyedRequest('replayed', 2, 3),
        keyedRequest('replayed', 4, 5),
      ],
      ['different-response 2 beside 3'],
    ],
    [
      'replays that differ, beside a run',
      [keyedRequest('replayed', 1, 2, { response: 'bye' }), ran],
      ['different-response 1 beside 2'],
    ],
    [
      'a replay that equals one of two runs',
      [
        ran,
        keyedRequest('ran', 1, 5, { response: 'bye' }),
        keyedRequest('replayed', 6, 7, { response: 'bye' }),
      ],
      ['second-run 2 beside 1'],
    ],
    ['a replay of what nobody can read', [ran, keyedRequest('replayed', 5, 6, { response: null })], []],
    [
      'a replay that may be of a turn that was cut',
      [ran, keyedRequest('begun', 1, 2), keyedRequest('replayed', 5, 6, { response: 'bye' })],
      ['second-run 2 beside 1'],
    ],
    [
      'replays that differ after a turn that was cut',
      [
        keyedRequest('begun', 0, 1),
        keyedRequest('replayed', 2, 3),
        keyedRequest('replayed', 4, 5, { response: 'bye' }),
      ],
      ['different-response 3 beside 2'],
    ],
    [
      'a replay of the reply to a rival',
      [
        keyedRequest('lost', 0, 1),
        keyedRequest('refused', 0, 1, { ...rival, response: 'bye' }),
        keyedRequest('replayed', 2, 3),
      ],
      [],
    ],
    [
      'waiting for what was replayed',
      [keyedRequest('lost', 0, 1), keyedRequest('replayed', 2, 3), keyedRequest('in-progress', 4, 5)],
      ['in-progress-after-reply 3 beside 2'],
    ],
    [
      'waiting before the turn was sent',
      [keyedRequest('in-progress', 0, 1), keyedRequest('ran', 2, 3)],
      ['in-progress-without-run 1 beside none'],
    ],
    [
      'waiting at the very moment the turn is sent',
      [keyedRequest('in-progress', 0, 1), keyedRequest('ran', 1, 3)],
      [],
    ],
    ['waiting at the very moment the turn ends', [ran, keyedRequest('in-progress', 4, 5)], []],
    [
      'waiting beside a replay only',
      [keyedRequest('refused', 0, 1), keyedRequest('in-progress', 2, 3)],
      ['in-progress-without-run 2 beside none'],
    ],
    [
      'a conflict with a rival that was sent later',
      [ran, keyedRequest('conflict', 1, 2), keyedRequest('lost', 3, 4, rival)],
      ['conflict-without-rival 2 beside none'],
    ],
    [
      'a conflict as soon as the rival was sent',
      [keyedRequest('conflict', 1, 2), keyedRequest('ran', 2, 3, rival)],
      [],
    ],
    [
      'a conflict beside its own turn, which was cut',
      [keyedRequest('begun', 0, 1), keyedRequest('conflict', 1, 2)],
      ['conflict-without-rival 2 beside 1'],
    ],
    [
      'a conflict beside its own turn in another mode, which was cut',
      [keyedRequest('lost', 0, 1), keyedRequest('begun', 3, 9, asStream), keyedRequest('conflict', 1, 2)],
      ['conflict-without-rival 3 beside none'],
    ],
    [
      'a conflict with its own turn that was replayed',
      [ran, keyedRequest('replayed', 5, 6), keyedRequest('conflict', 7, 8)],
      ['conflict-after-own-reply 3 beside 1'],
    ],
    [
      'a conflict after the same message in another mode had ended',
      [{ ...ran, ...asStream }, keyedRequest('conflict', 5, 6)],
      [],
    ],
    [
      'a conflict with its own turn, which a rival ran too',
      [ran, keyedRequest('ran', 1, 5, rival), keyedRequest('conflict', 6, 7)],
      ['rival-served 2 beside 1'],
    ],
    [
      'uncertainty after a reply',
      [ran, keyedRequest('uncertain', 5, 6)],
      ['uncertain-after-reply 2 beside 1', 'uncertain-without-loss 2 beside none'],
    ],
    [
      'uncertainty before the lost one was sent',
      [ran, keyedRequest('uncertain', 1, 2), keyedRequest('lost', 3, 4)],
      ['uncertain-without-loss 2 beside none'],
    ],
    [
      'uncertainty as soon as the lost one was sent',
      [ran, keyedRequest('uncertain', 1, 2), keyedRequest('lost', 2, 3)],
      [],
    ],
    [
      'that nothing ran, whatever was said',
      [keyedRequest('replayed', 0, 1), keyedRequest('conflict', 2, 3), keyedRequest('in-progress', 4, 5)],
      ['no-run 1 beside 2 3'],
    ],
  ])('%s', ([, history, expected]) => {
    expect(found(history)).toEqual(expected)
  })
})

describe('a replay of another key', () => {
  const own = { response: 'own', conversation: 'o' } as const
  const foreignTo = (...histories: readonly KeyHistory[]): readonly string[] =>
    foreignReplies(histories).map(({ name, at, beside }) => `${name} ${at.response} beside ${beside.length}`)
  const there = [keyedRequest('ran', 0, 4)]

  test.for<readonly [string, readonly KeyHistory[], readonly string[]]>([
    [
      'is reported',
      [[keyedRequest('ran', 0, 1, own), keyedRequest('replayed', 2, 3)], there],
      ['reply-of-another-key hello beside 1'],
    ],
    [
      'is reported if the own turn was not seen',
      [[keyedRequest('lost', 0, 1), keyedRequest('replayed', 2, 3)], there, there],
      ['reply-of-another-key hello beside 2'],
    ],
    ['is its own where its own turn says the same', [[ran, keyedRequest('replayed', 5, 6)], there], []],
    [
      'is none where nobody said it',
      [[keyedRequest('ran', 0, 1, own), keyedRequest('replayed', 2, 3, { response: 'else' })], there],
      [],
    ],
    [
      'is none in the conversation of its own',
      [[keyedRequest('ran', 0, 1, own), keyedRequest('replayed', 2, 3, { conversation: 'o' })], there],
      [],
    ],
    [
      'is none where it cannot be read',
      [
        [keyedRequest('lost', 0, 1), keyedRequest('replayed', 2, 3, { response: null })],
        [{ ...ran, response: null }],
      ],
      [],
    ],
    ['is no run', [[keyedRequest('ran', 0, 1, own), keyedRequest('ran', 2, 3)], there], []],
    [
      'is not what another key was replayed',
      [
        [keyedRequest('lost', 0, 1), keyedRequest('replayed', 2, 3)],
        [keyedRequest('lost', 0, 1), keyedRequest('replayed', 2, 3)],
      ],
      [],
    ],
    [
      'is reported although an earlier own replay agreed with it',
      [[keyedRequest('lost', 0, 1), keyedRequest('replayed', 2, 3), keyedRequest('replayed', 4, 5)], there],
      ['reply-of-another-key hello beside 1', 'reply-of-another-key hello beside 1'],
    ],
  ])('%s', ([, histories, expected]) => {
    expect(foreignTo(...histories)).toEqual(expected)
  })
})
