/**
 * Which credential a command uses. The catalog of these stages accepts any key, so that two that differ are at hand;
 * how `login` is worded is not shown, and whoever has another word for it is not judged.
 */
import type { Judgement } from '../../scenario/judgement.ts'
import { all, broken, check, inconclusive, pass } from '../../scenario/expect.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { keyOf, served } from '../assertions/request.ts'
import {
  anyTurn,
  chat,
  command,
  endedBadly,
  environmentKey,
  login,
  mayKeepStill,
  profile,
  turnsOf,
  withKey,
} from './command.ts'
import { beside, sentTo } from '../assertions/step-result.ts'
import { on, script } from '../execution/scripted-replies.ts'
import type { NetworkFault, Stage } from '../execution/service.ts'
import { clientScenario, type Act } from '../client-scenario.ts'

const catalogue = script(on.discovery, [
  { operations: [{ id: 'agent_setup.inspect', inputSchema: { type: 'object' } }] },
])

const open: Stage = { networkFaults: [...catalogue, ...anyTurn] }
const messages = {
  bare: 'Before there was a profile.',
  plain: 'Without a profile.',
  chosen: 'With a profile.',
}

const turns = command(
  chat(messages.chosen, '--profile', profile),
  {
    env: withKey(environmentKey),
    before: [
      { words: chat(messages.bare), env: withKey(environmentKey) },
      login,
      { words: chat(messages.plain), env: withKey(environmentKey) },
    ],
  },
  open,
)

interface Turns {
  /** Keys that each turn was sent with; undefined where it was not. */
  bare: string | undefined
  plain: string | undefined
  chosen: string | undefined
  at: Exchange
}

/** The key of the environment is the one that was sent before there was anything else. */
function keysOf(exchanges: readonly Exchange[], judge: (turns: Turns) => Judgement): Judgement {
  const [bare, plain, chosen] = Object.values(messages).map((message) => turnsOf(exchanges, message)[0])
  if (!bare) return inconclusive('no turn was sent before there was a profile')
  const at = chosen ?? plain ?? bare
  return judge({ bare: keyOf(bare), plain: plain && keyOf(plain), chosen: chosen && keyOf(chosen), at })
}

const streamed = command(
  chat(messages.chosen, '--stream', '--profile', profile),
  {
    env: withKey(environmentKey),
    before: [{ words: chat(messages.bare), env: withKey(environmentKey) }, login],
  },
  open,
)

const noLogin = inconclusive('no profile was saved by `login --profile NAME` with the key as a line')

export const precedence = clientScenario({
  title: 'a profile that was chosen wins over the key of the environment, which wins where none was',
  concerns: 'command-line',
  acts: { turns, streamed },
  judge: {
    'CLI-PROFILE-WINS': ({ turns, streamed: asStream }) => all(profileWins(turns), profileWins(asStream)),
    'CLI-ENV-WINS': ({ turns }) =>
      keysOf(turns, ({ bare, plain, chosen, at }) => {
        if (plain === undefined) return inconclusive('no turn was sent without a profile')
        if (plain !== bare) return broken('the key of the environment', 'another one', at)
        return chosen === undefined || chosen === bare ? noLogin : pass
      }),
  },
})

function profileWins(exchanges: readonly Exchange[]): Judgement {
  return keysOf(exchanges, ({ bare, chosen, at }) => {
    if (chosen === undefined) return noLogin
    return check(chosen !== bare, 'the key of the profile', 'the key of the environment', at)
  })
}

const refusedBy = (status: number): readonly NetworkFault[] =>
  script(on.discovery, [{ error: 'The catalog does not accept this key.' }], status)

/** A turn with a profile that was saved before, if it was. */
const saved = (asked: readonly NetworkFault[]) =>
  command(
    chat(messages.chosen, '--profile', profile),
    { env: withKey(null), before: [login] },
    { networkFaults: [...asked, ...anyTurn] },
  )

export const verified = clientScenario({
  title: 'a profile is saved only after the catalog accepted its key',
  concerns: 'command-line',
  acts: {
    accepted: saved(catalogue),
    refused: mayKeepStill(saved(refusedBy(401))),
    unavailable: mayKeepStill(saved(refusedBy(503))),
  },
  judge: {
    'CLI-PROFILE-VERIFIED': ({ accepted, refused, unavailable }, context) => {
      const [first] = turnsOf(accepted, messages.chosen)
      if (!first) return noLogin
      return all(
        askedFirst(accepted, first),
        beside([first], () => notSaved(refused, 'a key that was refused')),
        beside([first], () => notSaved(unavailable, 'a key that nobody could check')),
        endedBadly(context, 'refused'),
      )
    },
  },
})

function askedFirst(exchanges: readonly Exchange[], turn: Exchange): Judgement {
  const asked = served(sentTo(exchanges, 'discovery')).some(({ id }) => id < turn.id)
  return check(asked, 'the catalog asked before the profile is used', 'no such request', turn)
}

function notSaved(exchanges: readonly Exchange[], what: string): Judgement {
  const [turn] = turnsOf(exchanges, messages.chosen)
  return check(!turn, `no profile with ${what}`, 'a turn sent with it', turn)
}

const refusal = (status: 401 | 403): Stage => ({
  networkFaults: [...catalogue, ...script(on.chat, [{ error: 'This key may not do that.' }], status)],
})

const ofProfile = (status: 401 | 403): Act =>
  mayKeepStill(
    command(
      chat(messages.plain, '--profile', profile),
      { env: withKey(environmentKey), before: [login] },
      refusal(status),
    ),
  )

/** The other credential is at hand each time, and would be another key. */
export const refused = clientScenario({
  title: 'a 401 or 403 ends the command: the credential that is left is not tried',
  concerns: 'command-line',
  acts: {
    served: command(chat(messages.plain), {}, open),
    invalid: command(chat(messages.plain), { env: withKey(environmentKey), before: [login] }, refusal(401)),
    forbidden: command(chat(messages.plain), { env: withKey(environmentKey), before: [login] }, refusal(403)),
    'of-a-profile': ofProfile(403),
    'invalid-of-a-profile': ofProfile(401),
  },
  judge: {
    'CLI-REFUSED': (
      { served: twin, invalid, forbidden, 'of-a-profile': chosen, 'invalid-of-a-profile': unknown },
      context,
    ) =>
      beside(turnsOf(twin, messages.plain), () =>
        all(
          leftAtThat(invalid),
          endedBadly(context, 'invalid'),
          leftAtThat(forbidden),
          endedBadly(context, 'forbidden'),
          ...[chosen, unknown].flatMap((one) =>
            turnsOf(one, messages.plain).length > 0 ? [leftAtThat(one)] : [],
          ),
        ),
      ),
  },
})

function leftAtThat(exchanges: readonly Exchange[]): Judgement {
  const [first] = turnsOf(exchanges, messages.plain)
  if (!first) return inconclusive('no turn was sent')
  const other = exchanges.find((one) => one.id > first.id && keyOf(one) !== keyOf(first))
  return check(!other, 'no other credential than the one that was refused', 'another one', other)
}
