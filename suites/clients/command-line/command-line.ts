/** The options of the command line: what a turn needs, what it may have, and where it goes. */
import { isDeepStrictEqual } from 'node:util'
import type { Context, Judgement } from '../../scenario/scenario.ts'
import { all, check, every, inconclusive, notApplicable, pass, softened } from '../../scenario/expect.ts'
import { type Exchange, type Json, excerpt } from '../../wire/exchange.ts'
import { bodyMember, lastSegment, sameKeyThroughout, whereSuccessful } from '../assertions/request.ts'
import {
  anyTurn,
  chatCommand,
  command,
  commandScenario,
  jsonValuesIn,
  maySendNothing,
  defaultEnv,
  erasing,
  importing,
  refusedLocally,
  stdoutOf,
  turnsWith,
} from './command.ts'
import { polledToFinalState } from '../assertions/follow-up.ts'
import { ifControlSucceeded, stepResult, sentTo } from '../assertions/step-result.ts'
import { acceptedAndThrough, heldForApproval } from '../execution/step.ts'

const message = 'Is the harbour open on Friday?'
const [agent, text, key] = [
  ['--agent', '{agent}'],
  ['--message', message],
  ['--idempotency-key', 'turn-at-the-harbour'],
] as const
const chats = (exchanges: readonly Exchange[]): readonly Exchange[] => sentTo(exchanges, 'chat')

export const required = commandScenario({
  title: 'a turn without an agent, a message or an idempotency key is refused before anything is sent',
  steps: {
    whole: command(['chat', ...agent, ...text, ...key]),
    agentless: maySendNothing(command(['chat', ...text, ...key])),
    wordless: maySendNothing(command(['chat', ...agent, ...key])),
    keyless: maySendNothing(command(['chat', ...agent, ...text])),
  },
  judge: {
    'CLI-CHAT-REQUIRED': ({ whole, agentless, wordless, keyless }, context) =>
      all(
        refusedLocally(chats(whole), chats(agentless), context, 'agentless'),
        refusedLocally(chats(whole), chats(wordless), context, 'wordless'),
        refusedLocally(chats(whole), chats(keyless), context, 'keyless'),
      ),
  },
})

function sends(exchanges: readonly Exchange[], member: string, wanted: Json): Judgement {
  return every(turnsWith(exchanges, message), (turn) => {
    const got = bodyMember(turn, member)
    const expected = `${JSON.stringify(wanted)} as \`${member}\``
    return check(isDeepStrictEqual(got, wanted), expected, JSON.stringify(got) ?? 'none', turn)
  })
}

const conversation = '2b1f63b0-5c1d-4a53-8a6e-1de1cf7f5a10'

export const conversationId = commandScenario({
  title: '`--conversation-id` continues that conversation, as a stream, too',
  steps: {
    continued: command(chatCommand(message, '--conversation-id', conversation), { networkFaults: anyTurn }),
    streamed: command(chatCommand(message, '--stream', '--conversation-id', conversation), {
      networkFaults: anyTurn,
    }),
  },
  judge: {
    'CLI-CHAT-OPTIONS': ({ continued, streamed }) =>
      all(
        sends(continued, 'conversation_id', conversation),
        sends(streamed, 'conversation_id', conversation),
      ),
  },
})

export const stream = commandScenario({
  title: '`--stream` asks for a stream',
  steps: { streamed: command(chatCommand(message, '--stream')) },
  judge: { 'CLI-CHAT-OPTIONS': ({ streamed }) => sends(streamed, 'stream', true) },
})

function printsJson(exchanges: readonly Exchange[], context: Context, step: string): Judgement {
  return whereSuccessful(chats(exchanges), () => {
    const printed = stdoutOf(context, step)
    const values = jsonValuesIn(printed)
    const got = printed.trim() === '' ? 'nothing' : excerpt(printed)
    return check(values !== null && values.length > 0, 'JSON on standard output', got, exchanges.at(-1))
  })
}

export const json = commandScenario({
  title: '`--json` prints JSON',
  steps: { reply: command(chatCommand(message, '--json')) },
  judge: { 'CLI-JSON': ({ reply }, context) => printsJson(reply, context, 'reply') },
})

/** Nothing says that these two go together: what is no JSON then is a warning. */
export const jsonStream = commandScenario({
  title: '`--json` prints JSON of a stream, too: a value, or one for each event',
  steps: { streamed: command(chatCommand(message, '--stream', '--json')) },
  judge: {
    'CLI-JSON': ({ streamed }, context) => softened(printsJson(streamed, context, 'streamed')),
  },
})

const selection: Json = {
  type: 'workflow_button',
  runId: 'run_harbour',
  nodeId: 7,
  payload: { choice: [2, 'lantern'], note: null },
}

export const interaction = commandScenario({
  title: '`--interaction` sends the selection of a button as it was given',
  steps: {
    pressed: command(chatCommand(message, '--interaction', JSON.stringify(selection)), {
      networkFaults: anyTurn,
    }),
  },
  judge: { 'CLI-INTERACTION': ({ pressed }) => sends(pressed, 'interaction', selection) },
})

const addressless = { ...defaultEnv, '{baseUrlVariable}': null }
/** The discard port: nothing listens there. */
const nowhere = 'http://127.0.0.1:9'

export const baseUrl = commandScenario({
  title: 'the base address is taken from `--base-url`, and from its variable',
  steps: {
    both: command(chatCommand(message, '--base-url', '{base_url}')),
    option: maySendNothing(command(chatCommand(message, '--base-url', '{base_url}'), { env: addressless })),
    variable: maySendNothing(command(chatCommand(message))),
    disagreeing: maySendNothing(
      command(chatCommand(message, '--base-url', '{base_url}'), {
        env: { ...defaultEnv, '{baseUrlVariable}': nowhere },
      }),
    ),
  },
  judge: {
    'CLI-BASE-URL': ({ both, option, variable, disagreeing }) =>
      ifControlSucceeded(chats(both), () => {
        const came = (exchanges: readonly Exchange[], by: string): Judgement =>
          check(chats(exchanges).length > 0, `a turn at the address of ${by}`, 'none')
        const wins = chats(disagreeing).length > 0 ? 'wins' : 'does not win'
        const judged = all(came(option, '`--base-url`'), came(variable, 'its variable'))
        return judged.is === 'pass' ? { ...judged, note: `where they disagree, the option ${wins}` } : judged
      }),
  },
})

const through = (...states: readonly string[]) =>
  command(importing, {
    networkFaults: acceptedAndThrough(...states),
  })

/** A command may leave it to another one to read the task; one that reads reads to the end. */
function readsToTheEnd(exchanges: readonly Exchange[], context: Context, step: string): Judgement {
  return whereSuccessful(sentTo(exchanges, 'execution'), () =>
    sentTo(exchanges, 'task').length > 0
      ? polledToFinalState(exchanges, context, step)
      : notApplicable('the command that executes reads no task'),
  )
}

export const task = commandScenario({
  title: 'a command reads a task until it is completed, failed or cancelled, and no longer',
  steps: {
    completed: through('queued', 'running', 'completed'),
    failed: through('running', 'failed'),
    cancelled: through('running', 'cancelled'),
  },
  judge: {
    'LIB-TASK-WAIT': ({ completed, failed, cancelled }, context) =>
      all(
        readsToTheEnd(completed, context, 'completed'),
        readsToTheEnd(failed, context, 'failed'),
        readsToTheEnd(cancelled, context, 'cancelled'),
      ),
  },
})

export const confirm = commandScenario({
  title: '`--confirm` acknowledges here, and what the service holds stays held',
  steps: {
    confirmed: command([...erasing, '--confirm'], { networkFaults: heldForApproval }),
  },
  judge: {
    'CLI-CONFIRM': ({ confirmed }, context) => {
      const runs = sentTo(confirmed, 'execution')
      return whereSuccessful(runs, () =>
        all(
          readsAlone(confirmed),
          saysItWaits(confirmed, context),
          ...(runs.length > 1 ? [sameKeyThroughout(runs)] : []),
        ),
      )
    },
  },
})

/** Output that reports success with exit code 0 and mentions no approval fails. */
function saysItWaits(exchanges: readonly Exchange[], context: Context): Judgement {
  const { exitCode, stdout = '', stderr = '' } = stepResult(context, 'confirmed') ?? {}
  const printed = `${stdout}\n${stderr}`
  const isOver = exitCode === 0 && /\b(completed?|done|finished|succe\w+)\b/i.test(printed)
  const mentions = /approv|pending|held|owner|wait|review|confirm/i.test(printed)
  return check(
    !isOver || mentions,
    'word that it waits for the owner',
    excerpt(printed.trim()),
    exchanges.at(-1),
  )
}

/** Besides the execution itself nothing is sent that could decide anything. */
function readsAlone(exchanges: readonly Exchange[]): Judgement {
  if (exchanges.length === 0) return inconclusive('nothing was sent')
  const decides = exchanges.find(
    (one) =>
      one.request.method !== 'GET' &&
      !sentTo([one], 'execution').some((run) => lastSegment(run) === 'customers.erase'),
  )
  if (!decides) return pass
  const { method, path } = decides.request
  return check(false, 'nothing but reads while the owner has not decided', `${method} ${path}`, decides)
}
