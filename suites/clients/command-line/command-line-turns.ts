/** Turns on the command line where something is unusual: the stream, the key, the answer, or what the reply carries. */
import type { ClauseId } from '../../../spec/index.ts'
import type { Context, Judgement } from '../../scenario/scenario.ts'
import { all, check, every, given, inconclusive, pass } from '../../scenario/expect.ts'
import { type Exchange, excerpt } from '../../wire/exchange.ts'
import { idempotencyKeysOf } from '../assertions/request.ts'
import {
  anyTurn,
  chatCommand,
  command,
  commandScenario,
  maySendNothing,
  refusedLocally,
  stdoutOf,
  turnsWith,
} from './command.ts'
import { ifControlSucceeded, stepResult, sentTo } from '../assertions/step-result.ts'
import { notSentAgain, noOtherKey, retriesSameTurn, waitsBeforeRetry } from '../assertions/retry.ts'
import { anyReply, refusalsWith, routes, script } from '../execution/step.ts'
import type { StreamEncoding } from '../../../spec/types/control.ts'
import type { ClientStep, ClientScenario } from '../client-scenario.ts'
import { replyTokens } from '../streams/stream-scenario.ts'

const message = 'Which lamps burn tonight?'
const words = ['Lantern', 'Harbour', 'Lighthouse', 'Anchorage']
const replies = replyTokens(words.map((word) => `${word} `))
const chats = (exchanges: readonly Exchange[]): readonly Exchange[] => sentTo(exchanges, 'chat')

const streaming = (as?: StreamEncoding, ...more: readonly string[]): ClientStep =>
  command(chatCommand(message, '--stream', ...more), {
    replies,
    networkFaults: as ? [{ do: { is: 'encode', as } }] : [],
  })

/** It ended well, with each of these in what it printed. */
function prints(
  exchanges: readonly Exchange[],
  context: Context,
  step: string,
  wanted: readonly string[],
): Judgement {
  // Whoever hangs up in the middle was answered all the same.
  if (!chats(exchanges).some(({ response }) => response?.status === 200))
    return inconclusive('no turn was answered')
  const result = stepResult(context, step)
  if (result?.ended !== 'exit') return inconclusive('it did not come to an end')
  const [printed, last] = [stdoutOf(context, step), exchanges.at(-1)]
  const missing = wanted.filter((word) => !printed.includes(word))
  return all(
    check(result.exitCode === 0, 'exit code 0', `${result.exitCode}`, last),
    check(missing.length === 0, wanted.join(' and '), excerpt(printed.trim() || 'nothing'), last),
  )
}

/** What prints no text of an ordinary turn is not asked for one of an odd turn. */
function besidePrinted(
  usual: readonly Exchange[],
  context: Context,
  wanted: readonly string[],
  judge: () => Judgement,
): Judgement {
  const said = prints(usual, context, 'usual', wanted)
  return given(
    said.is === 'fail' ? inconclusive('it does not print the text of an ordinary turn') : said,
    judge,
  )
}

function oddStream(title: string, clause: ClauseId, as: StreamEncoding, more: readonly string[] = []) {
  return commandScenario({
    title,
    steps: { usual: streaming(undefined, ...more), odd: streaming(as, ...more) },
    judge: {
      [clause]: ({ usual, odd }: Record<'usual' | 'odd', readonly Exchange[]>, context: Context): Judgement =>
        besidePrinted(usual, context, words, () => prints(odd, context, 'odd', words)),
    },
  })
}

const firstEvent = `data: ${JSON.stringify({ type: 'token', token: `${words[0]} ` })}\n\n`.length

export const cutStream = oddStream(
  'a stream prints all of its text, wherever the network cuts a line',
  'LIB-STREAM-SPLIT-LINE',
  { writes: { at: [3, 20, firstEvent + 3, firstEvent + 20] }, gapMs: 20 },
)

const strangers: StreamEncoding = {
  insert: [{ behind: 2, event: { type: 'mood_changed', mood: null, since_when: { at: null } } }],
}
export const strangeEvent = oddStream(
  'an event of a type that nobody knows ends no command',
  'LIB-STREAM-UNKNOWN',
  strangers,
)
export const strangeEventAsJson = oddStream(
  'an event of a type that nobody knows ends no command that prints JSON',
  'LIB-STREAM-UNKNOWN',
  strangers,
  ['--json'],
)

const [agent, key] = [
  ['--agent', '{agent}'],
  ['--idempotency-key', 'turn-of-the-lamps'],
] as const
const keyless = ['chat', ...agent, '--message', message]
const button = JSON.stringify({ type: 'workflow_button', runId: 'run_1', nodeId: 'n_1', payload: 'lamps' })

export const stillRequired = commandScenario({
  title: 'a turn lacks what it needs as a stream, after another turn, and with a button, too',
  steps: {
    whole: command([...keyless, ...key], { networkFaults: anyTurn }),
    stream: maySendNothing(command([...keyless, '--stream'])),
    later: maySendNothing(
      command(keyless, { beforehand: [{ words: chatCommand('Before it.') }], networkFaults: anyTurn }),
    ),
    button: maySendNothing(
      command(['chat', ...agent, ...key, '--interaction', button], { networkFaults: anyTurn }),
    ),
  },
  judge: {
    'CLI-CHAT-REQUIRED': ({ whole, stream, later, button: pressed }, context) =>
      all(
        refusedLocally(chats(whole), chats(stream), context, 'stream'),
        refusedLocally(chats(whole), turnsWith(later, message), context, 'later'),
        refusedLocally(chats(whole), chats(pressed), context, 'button'),
      ),
  },
})

const figures = ['0012', '12345678901234567890'] as const
const withKey = (own: string): ClientStep =>
  command([...keyless, '--idempotency-key', own], { networkFaults: anyTurn })

export const figuresAsKey = commandScenario({
  title: 'a key of figures is sent figure by figure',
  steps: { noughts: withKey(figures[0]), long: withKey(figures[1]) },
  judge: {
    'LIB-KEY-HEADER': ({ noughts, long }) => all(carries(noughts, figures[0]), carries(long, figures[1])),
  },
})

function carries(exchanges: readonly Exchange[], wanted: string): Judgement {
  return every(chats(exchanges), (turn) => {
    const keys = idempotencyKeysOf(turn).join(' and ')
    return check(keys === wanted, `the idempotency key ${wanted}`, keys || 'none', turn)
  })
}

const seconds = 2

const met = (...how: Parameters<typeof refusalsWith>): ClientStep =>
  command(chatCommand(message), { networkFaults: refusalsWith(...how) })

function refused(
  title: string,
  clause: ClauseId,
  step: ClientStep,
  judge: (refused: readonly Exchange[]) => Judgement,
): ClientScenario {
  return commandScenario({
    title,
    steps: { served: command(chatCommand(message)), refused: step },
    judge: {
      [clause]: ({ served, refused: sent }: Record<'served' | 'refused', readonly Exchange[]>): Judgement =>
        ifControlSucceeded(served, () => judge(sent)),
    },
  })
}

export const inProgress = refused(
  'a command waits before it sends a turn again that is in progress',
  'LIB-IN-PROGRESS',
  met('REQUEST_IN_PROGRESS', 3),
  (sent) => all(waitsBeforeRetry(sent, { ms: 50, growing: true }), retriesSameTurn(sent)),
)
export const uncertain = refused(
  'a command gives no new key to a turn whose outcome is uncertain',
  'LIB-UNCERTAIN',
  met('OUTCOME_UNCERTAIN'),
  (sent) =>
    notSentAgain(
      sent,
      noOtherKey,
      (again, first) => idempotencyKeysOf(again).join() !== idempotencyKeysOf(first).join(),
    ),
)
export const limited = refused(
  'a rate-limited command waits as long as the response says, or exits',
  'LIB-RATE-WAIT',
  met('RATE_LIMITED', 1, seconds),
  (sent) => waitsBeforeRetry(sent, { ms: 500 * seconds, short: 950 * seconds }),
)

const shown = 'Quay three is free.'
const partly = script(routes.chat, [
  { ...anyReply, response: 'Lantern', presentation: { version: 1, messages: [shown] } },
])

export const partOfPresentation = commandScenario({
  title: 'a command prints a presentation that has some of its parts, and nothing of the others',
  steps: {
    usual: command(chatCommand(message), { replies: replyTokens(['Lantern']) }),
    odd: command(chatCommand(message), { networkFaults: partly }),
  },
  judge: {
    'LIB-PRESENTATION': ({ usual, odd }, context) =>
      besidePrinted(usual, context, ['Lantern'], () =>
        all(prints(odd, context, 'odd', ['Lantern']), withoutGhosts(odd, context)),
      ),
  },
})

/** Words of programming languages for what is not there. */
const ghosts = /\b(undefined|None|NaN|nil)\b/

function withoutGhosts(exchanges: readonly Exchange[], context: Context): Judgement {
  if (ghosts.test(stdoutOf(context, 'usual'))) return pass
  const printed = stdoutOf(context, 'odd')
  return check(!ghosts.test(printed), 'the parts that are there', excerpt(printed.trim()), exchanges.at(-1))
}
