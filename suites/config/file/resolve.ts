/** From a file as it is written to a target: names and secrets looked up, defaults filled in. */
import type { StateId } from '../../../spec/index.ts'
import { contractOf } from '../../policy/clause-set.ts'
import { policyIn } from '../../policy/file.ts'
import { defaultBudgets, defaultTiming, undeclared } from '../defaults.ts'
import { doneWithinPlaces, fixturesIn } from '../sections/fixtures.ts'
import { legacyIn } from '../sections/legacy.ts'
import { principalsIn } from '../sections/principals.ts'
import { provision } from '../sections/provision.ts'
import { address, complain, headerValueAt, mapped, valueAt, type Reading } from './reading.ts'
import { receiverIn } from '../sections/receiver.ts'
import { headersAt, serviceIn } from '../sections/service.ts'
import { eventsNamed, unsupportedStates, waysOf, type Ways } from '../states.ts'
import type { Target } from '../target.ts'
import { webhookCreationIn } from '../sections/webhook-creation.ts'
import type { TargetFile } from './written.ts'

/** What is wrong is noted in `reading`; the target is of use only where nothing is. */
export function resolveTarget(file: TargetFile, reading: Reading): Target {
  const ids = mapped(file.agents, (id, agent) => valueAt(id, ['agents', agent], reading))
  const { plain = '', second } = ids
  const ways = mapped(file.states, (written, state) => waysOf(state, written, reading))
  const features = { ...undeclared.features, ...file.features }
  return {
    ...serviceIn(file, reading),
    principals: principalsIn(file, ids, reading),
    session: file.session
      ? { headers: headersAt(file.session.headers, ['session', 'headers'], reading) }
      : null,
    sessions: mapped(file.sessions ?? {}, ({ headers, ended }, name) => ({
      headers: headersAt(headers, ['sessions', name, 'headers'], reading),
      ...(ended ? { ended } : {}),
    })),
    ...webhookCreationIn(file, reading),
    legacy: legacyIn(file, ids, reading),
    agents: second === undefined ? { plain } : { plain, second },
    fixtures: fixturesIn(file, ids, reading),
    features,
    states: {
      ...unsupportedStates(features),
      ...eventsNamed(
        mapped(ways, ([first], state) => provision(state as StateId, first, file, ids, reading)),
      ),
    },
    doneWithinPlaces: doneWithinPlaces(file, reading),
    statePlaces: mapped(file.states, (_, state) => reading.sourced.at(['states', state])),
    ...furtherIn(ways, file, ids, reading),
    control: controlIn(file, reading),
    receiver: receiverIn(file, reading),
    dialect: file.dialect ?? {},
    budgets: { ...defaultBudgets, ...file.budgets },
    optIn: file.optIn ?? [],
    readOnly: file.readOnly ?? false,
    profile: file.profile ?? 'standard',
    exclusiveCredits: file.exclusiveCredits ?? false,
    timing: timingIn(file, reading),
    policy: policyIn(file.policy, reading),
    ...(file.contract === undefined ? {} : { contract: contractOf(file.contract) }),
  }
}

/** The ways after the first, where a state has any. */
function furtherIn(
  ways: Readonly<Record<string, Ways>>,
  file: TargetFile,
  ids: Readonly<Record<string, string>>,
  reading: Reading,
): Pick<Target, 'furtherStates'> {
  const several = Object.entries(ways).filter(([, [, ...others]]) => others.length > 0)
  if (several.length === 0) return {}
  const furtherStates = several.map(([state, [, ...others]]) => [
    state,
    others.map((written) => provision(state as StateId, written, file, ids, reading)),
  ])
  return { furtherStates: Object.fromEntries(furtherStates) as Target['furtherStates'] & object }
}

function controlIn({ control }: TargetFile, reading: Reading): Target['control'] {
  if (!control) return null
  const { url, token } = control
  return {
    url: address(valueAt(url, ['control', 'url'], reading), ['control', 'url'], reading),
    token: token === undefined ? null : headerValueAt(token, ['control', 'token'], reading),
  }
}

function timingIn(file: TargetFile, reading: Reading): Target['timing'] {
  const timing = { ...defaultTiming, ...file.timing }
  if (timing.clock === 'control' && !file.control)
    complain(['timing', 'clock'], 'is control, but no control is declared; add control.url', reading)
  return timing
}
