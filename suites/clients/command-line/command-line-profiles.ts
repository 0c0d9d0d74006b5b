/**
 * Which credential a command uses. The catalog of these services accepts any key, so that two that differ are at hand;
 * how `login` is worded is not shown, and whoever has another word for it is not judged.
 */
import type { Judgement } from '../../scenario/scenario.ts'
import { all, fail, check, inconclusive, pass } from '../../scenario/expect.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { apiKeyOf, successful } from '../assertions/request.ts'
import {
  anyTurn,
  chatCommand,
  command,
  commandScenario,
  exitsWithError,
  environmentKey,
  login,
  maySendNothing,
  profileName,
  turnsWith,
  withKey,
} from './command.ts'
import { ifControlSucceeded, sentTo } from '../assertions/step-result.ts'
import { routes, script } from '../execution/step.ts'
import type { NetworkFault } from '../../../spec/types/control.ts'
import type { ClientStep } from '../client-scenario.ts'

const catalogue = script(routes.discovery, [
  { operations: [{ id: 'agent_setup.inspect', inputSchema: { type: 'object' } }] },
])

const open = { networkFaults: [...catalogue, ...anyTurn] }
const messages = {
  bare: 'Before there was a profile.',
  plain: 'Without a profile.',
  chosen: 'With a profile.',
}

const turns = command(chatCommand(messages.chosen, '--profile', profileName), {
  env: withKey(environmentKey),
  beforehand: [
    { words: chatCommand(messages.bare), env: withKey(environmentKey) },
    login,
    { words: chatCommand(messages.plain), env: withKey(environmentKey) },
  ],
  ...open,
})

interface Turns {
  /** Keys that each turn was sent with; undefined where it was not. */
  bare: string | undefined
  plain: string | undefined
  chosen: string | undefined
  at: Exchange
}

/** The key of the environment is the one that was sent before there was anything else. */
function keysOf(exchanges: readonly Exchange[], judge: (turns: Turns) => Judgement): Judgement {
  const [bare, plain, chosen] = Object.values(messages).map((message) => turnsWith(exchanges, message)[0])
  if (!bare) return inconclusive('no turn was sent before there was a profile')
  const at = chosen ?? plain ?? bare
  return judge({
    bare: apiKeyOf(bare),
    plain: plain && apiKeyOf(plain),
    chosen: chosen && apiKeyOf(chosen),
    at,
  })
}

const streamed = command(chatCommand(messages.chosen, '--stream', '--profile', profileName), {
  env: withKey(environmentKey),
  beforehand: [{ words: chatCommand(messages.bare), env: withKey(environmentKey) }, login],
  ...open,
})

const noLogin = inconclusive('no profile was saved by `login --profile NAME` with the key as a line')

export const precedence = commandScenario({
  title: 'a profile that was chosen wins over the key of the environment, which wins where none was',
  steps: { turns, streamed },
  judge: {
    'CLI-PROFILE-WINS': ({ turns, streamed: asStream }) => all(profileWins(turns), profileWins(asStream)),
    'CLI-ENV-WINS': ({ turns }) =>
      keysOf(turns, ({ bare, plain, chosen, at }) => {
        if (plain === undefined) return inconclusive('no turn was sent without a profile')
        if (plain !== bare) return fail('the key of the environment', 'another one', at)
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

/** A turn with a profile that was saved before, if it was. */
const saved = (asked: readonly NetworkFault[]): ClientStep =>
  command(chatCommand(messages.chosen, '--profile', profileName), {
    env: withKey(null),
    beforehand: [login],
    networkFaults: [...asked, ...anyTurn],
  })

const refusedBy = (status: number): ClientStep =>
  maySendNothing(
    saved(script(routes.discovery, [{ error: 'The catalog does not accept this key.' }], status)),
  )

export const verified = commandScenario({
  title: 'a profile is saved only after the catalog accepted its key',
  steps: {
    accepted: saved(catalogue),
    refused: refusedBy(401),
    unavailable: refusedBy(503),
  },
  judge: {
    'CLI-PROFILE-VERIFIED': ({ accepted, refused, unavailable }, context) => {
      const [first] = turnsWith(accepted, messages.chosen)
      if (!first) return noLogin
      const asked = successful(sentTo(accepted, 'discovery')).some(({ id }) => id < first.id)
      return all(
        check(asked, 'the catalog asked before the profile is used', 'no such request', first),
        ifControlSucceeded([first], () => notSaved(refused, 'a key that was refused')),
        ifControlSucceeded([first], () => notSaved(unavailable, 'a key that nobody could check')),
        exitsWithError(context, 'refused'),
      )
    },
  },
})

function notSaved(exchanges: readonly Exchange[], what: string): Judgement {
  const [turn] = turnsWith(exchanges, messages.chosen)
  return check(!turn, `no profile with ${what}`, 'a turn sent with it', turn)
}

const refusing = (status: 401 | 403, ...more: readonly string[]): ClientStep =>
  command(chatCommand(messages.plain, ...more), {
    env: withKey(environmentKey),
    beforehand: [login],
    networkFaults: [...catalogue, ...script(routes.chat, [{ error: 'This key may not do that.' }], status)],
  })

const ofProfile = (status: 401 | 403): ClientStep =>
  maySendNothing(refusing(status, '--profile', profileName))

/** The other credential is at hand each time, and would be another key. */
export const refused = commandScenario({
  title: 'a 401 or 403 ends the command: the credential that is left is not tried',
  steps: {
    served: command(chatCommand(messages.plain), open),
    invalid: refusing(401),
    forbidden: refusing(403),
    'of-a-profile': ofProfile(403),
    'invalid-of-a-profile': ofProfile(401),
  },
  judge: {
    'CLI-REFUSED': (
      { served: twin, invalid, forbidden, 'of-a-profile': chosen, 'invalid-of-a-profile': unknown },
      context,
    ) =>
      ifControlSucceeded(turnsWith(twin, messages.plain), () =>
        all(
          leftAtThat(invalid),
          exitsWithError(context, 'invalid'),
          leftAtThat(forbidden),
          exitsWithError(context, 'forbidden'),
          ...[chosen, unknown].flatMap((one) =>
            turnsWith(one, messages.plain).length > 0 ? [leftAtThat(one)] : [],
          ),
        ),
      ),
  },
})

function leftAtThat(exchanges: readonly Exchange[]): Judgement {
  const [first] = turnsWith(exchanges, messages.plain)
  if (!first) return inconclusive('no turn was sent')
  const other = exchanges.find((one) => one.id > first.id && apiKeyOf(one) !== apiKeyOf(first))
  return check(!other, 'no other credential than the one that was refused', 'another one', other)
}
