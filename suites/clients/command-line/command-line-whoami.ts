/** The whoami check: where the credential is from, how much it reaches, and never the key. */
import type { Context, Judgement } from '../../scenario/scenario.ts'
import { all, check, every, inconclusive, pass } from '../../scenario/expect.ts'
import { type Exchange, excerpt } from '../../wire/exchange.ts'
import { apiKeyOf, lastSegment, whereSuccessful } from '../assertions/request.ts'
import {
  command,
  commandScenario,
  environmentKey,
  login,
  maySendNothing,
  profileName,
  withKey,
} from './command.ts'
import { stepResult, sentTo } from '../assertions/step-result.ts'
import { completedReceipt, inspectOperation, routes, script } from '../execution/step.ts'
import type { ClientStep } from '../client-scenario.ts'
import type { NetworkFault } from '../../../spec/types/control.ts'

const agents = Array.from({ length: 4 }, (_, nth) => ({
  id: `agent_${nth}`,
  name: `Agent ${nth}`,
}))
const ids = [
  'agents.list',
  'agent_setup.inspect',
  'agent_design.draft',
  'calendar.connect',
  'notes.create',
  'notes.list',
  'orders.export',
  'orders.archive',
  'reports.build',
  'customers.list',
  'customers.import',
  'customers.erase',
  'customers.erasures',
] as const
const operations = ids.map((id) => ({ id, inputSchema: { type: 'object', properties: {} } }))

/** The same key, with fewer of them to its name: the id that every client knows is not among them. */
const fewer = { operations: operations.filter(({ id }) => id !== inspectOperation).slice(0, 7) }

const reach = { operations: ids.length, agents: agents.length } as const

/** However agents are listed: an operation, or a route that is not shown. */
const service = [
  ...script(routes.discovery, [{ operations }]),
  ...script(routes.execution, [completedReceipt({ agents })]),
  ...script(routes.anyRead, [{ agents }]),
]

const asking = (networkFaults: readonly NetworkFault[], ...more: readonly string[]): ClientStep =>
  command(['whoami', ...more], { env: withKey(environmentKey), networkFaults })

export const counts = commandScenario({
  title: 'whoami counts the operations that are listed, and not those that the command knows',
  steps: {
    environment: asking(service),
    fewer: maySendNothing(asking([...script(routes.discovery, [fewer]), ...service])),
  },
  judge: {
    'CLI-WHOAMI': ({ environment, fewer: restricted }, context) =>
      whereSuccessful(sentTo(environment, 'discovery'), () =>
        whereSuccessful(sentTo(restricted, 'discovery'), () => {
          const [all, some] = [numbersIn(context, 'environment'), numbersIn(context, 'fewer')]
          // In what shape operations are listed is not shown: whoever finds none in this one counts none.
          if (!/\d/.test(all) || /\b0\b/.test(all))
            return inconclusive('it counts nothing of what was listed')
          return check(all !== some, 'another count where fewer are listed', some, restricted.at(-1))
        }),
      ),
  },
})

/** Every number that is printed, but for those of addresses. */
const numbersIn = (context: Context, step: string): string =>
  (
    printedIn(context, step)
      .replaceAll(/https?:\S*/g, '')
      .match(/\d+/g) ?? []
  ).join(' ')

/** The JSON form is unspecified: only the key must not be in it. */
export const whoamiJson = commandScenario({
  title: 'whoami prints no key as JSON, and none where it is refused',
  steps: {
    environment: asking(service),
    json: maySendNothing(asking(service, '--json')),
    refused: maySendNothing(asking(script(routes.anyRead, [{ error: 'The key is not valid.' }], 401))),
  },
  judge: {
    'CLI-WHOAMI-NO-KEY': ({ environment, json, refused }, context) =>
      whereReported(environment, context, () =>
        all(
          withoutKeys(environment, context, 'environment'),
          ...(json.length > 0 ? [withoutKeys(json, context, 'json')] : []),
          ...(refused.length > 0 ? [withoutKeys(refused, context, 'refused')] : []),
        ),
      ),
  },
})

export const whoami = commandScenario({
  title: 'whoami names the source of the credential and counts what it reaches, without the key',
  steps: {
    environment: asking(service),
    profile: maySendNothing(
      command(['whoami', '--profile', profileName], {
        env: withKey(environmentKey),
        beforehand: [login],
        networkFaults: service,
      }),
    ),
  },
  judge: {
    // How a profile is saved is not shown: without one, the check has nothing to report of it.
    'CLI-WHOAMI': ({ environment, profile: ofProfile }, context) =>
      all(
        reports(environment, context, 'environment', /_API_KEY|\benv/i),
        ...(ofProfile.length > 0 && stepResult(context, 'profile')?.exitCode === 0
          ? [reports(ofProfile, context, 'profile', /harbour|\bprofile/i)]
          : []),
      ),
    'CLI-WHOAMI-NO-KEY': ({ environment, profile: ofProfile }, context) =>
      all(
        whereReported(environment, context, () => withoutKeys(environment, context, 'environment')),
        ...(ofProfile.length > 0 ? [withoutKeys(ofProfile, context, 'profile')] : []),
      ),
  },
})

/** What prints nothing prints no key either: that shows nothing. */
function whereReported(exchanges: readonly Exchange[], context: Context, judge: () => Judgement): Judgement {
  if (printedIn(context, 'environment').trim() === '') return inconclusive('it printed nothing')
  return whereSuccessful(sentTo(exchanges, 'discovery'), judge)
}

const printedIn = (context: Context, step: string): string => {
  const { stdout = '', stderr = '' } = stepResult(context, step) ?? {}
  return `${stdout}\n${stderr}`
}

function reports(exchanges: readonly Exchange[], context: Context, step: string, source: RegExp): Judgement {
  return whereSuccessful(sentTo(exchanges, 'discovery'), () => {
    const printed = printedIn(context, step)
    const [got, last] = [excerpt(printed.trim()), exchanges.at(-1)]
    const names = check(source.test(printed), `the source of the credential (${step})`, got, last)
    return all(names, counted(exchanges, printed))
  })
}

/** In what shape operations and agents are listed is not shown: a count of something else is no verdict. */
function counted(exchanges: readonly Exchange[], printed: string): Judgement {
  const numbers = new Set(printed.match(/\d+/g)?.map(Number))
  if (numbers.size === 0)
    return check(false, 'counts of agents and operations', excerpt(printed.trim()), exchanges.at(-1))
  if (!numbers.has(reach.operations))
    return inconclusive(`${reach.operations} operations were listed, and it does not print that number`)
  if (!numbers.has(reach.agents) && exchanges.some((one) => /agents/.test(lastSegment(one))))
    return inconclusive(`${reach.agents} agents were listed, and it does not print that number`)
  return pass
}

function withoutKeys(exchanges: readonly Exchange[], context: Context, step: string): Judgement {
  const printed = printedIn(context, step)
  return every(exchanges, (exchange) => {
    const key = apiKeyOf(exchange)
    if (key === '') return inconclusive('it sent no key')
    return check(!printed.includes(key), 'output without the key', 'the key in it', exchange)
  })
}
