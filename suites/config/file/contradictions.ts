/** What a target file says twice, or in one place against another. */
import type { StateId } from '../../../spec/index.ts'
import { operations } from '../sections/operations.ts'
import { featureIds, isRequired, missingFor } from '../features.ts'
import { complain, type Reading } from './reading.ts'
import type { Provision, Target } from '../target.ts'
import { mayCall } from '../../scenario/setting.ts'
import type { TargetFile } from './written.ts'

/** Notes each. `target`: the file, resolved. */
export function contradictions(target: Target, file: TargetFile, reading: Reading): void {
  for (const rule of [replicas, agents, accounts, features, standing, pairs, receiver, operations])
    rule(target, file, reading)
}

type Rule = (target: Target, file: TargetFile, reading: Reading) => void

const replicas: Rule = ({ baseUrl, replicas }, _, reading) => {
  replicas.forEach((replica, i) => {
    const path = ['target', 'replicas', i]
    if (replica === '') return
    if (replica === baseUrl)
      complain(path, `is ${replica}, which is target.baseUrl; name the further ones only`, reading)
    else if (replicas.indexOf(replica) < i)
      complain(path, `is ${replica}, which stands there before; take one out`, reading)
  })
}

const agents: Rule = ({ agents: { plain, second } }, _, reading) => {
  if (plain !== '' && plain === second)
    complain(['agents', 'second'], `is ${second}, as agents.plain is; give another, or take it out`, reading)
}

/** The plain and the second agent belong to the account of the first key that reaches every agent. */
const accounts: Rule = ({ agents: { plain, second }, principals }, _, reading) => {
  const ordinary = principals.find((one) => one.agents === '*' && one.scopes.includes('chat') && !one.revoked)
  for (const { name, agents: own, account } of principals)
    if (
      ordinary &&
      account !== ordinary.account &&
      own !== '*' &&
      own.some((id) => id !== '' && [plain, second].includes(id))
    )
      complain(
        ['principals', name, 'agents'],
        `names an agent of the account "${ordinary.account}", and the key is of "${account}"; name agents of its own account`,
        reading,
      )
}

const features: Rule = ({ features }, file, reading) => {
  for (const feature of featureIds)
    if (features[feature] === 'unsupported' && isRequired(feature))
      complain(
        ['features', feature],
        'is unsupported, but the contract requires it; take that out, and put its failures under policy.knownFailures',
        reading,
      )
  for (const [state, written] of Object.entries(file.states)) {
    const feature = missingFor(state as StateId, features)
    const [provide = 'none'] = [written].flat().map((one) => one.provide)
    if (feature !== undefined && provide !== 'none')
      complain(
        ['states', state],
        `is provided by ${provide}, but features.${feature} is unsupported; take one of them out`,
        reading,
      )
  }
}

type Fixture = Extract<Provision, { provide: 'fixture' }>

function fixturesOf(target: Target): readonly (readonly [StateId, Fixture])[] {
  return Object.entries(target.states).flatMap(([state, provision]) =>
    provision.provide === 'fixture' ? [[state as StateId, provision] as const] : [],
  )
}

/** States in which an agent does not answer as an ordinary one does, whatever is sent to it. */
const ofAgents: readonly StateId[] = ['chat.paused', 'plan.disallows']

/** The plain and the second agent answer any message; the ordinary keys are good for any turn. */
const standing: Rule = (target, _, reading) => {
  const { plain, second, principals } = { ...target.agents, ...target }
  for (const [state, { agent, principal: name }] of fixturesOf(target)) {
    const role = agent === plain ? 'plain' : agent === second ? 'second' : null
    if (agent && role && name === undefined && ofAgents.includes(state))
      complain(
        ['states', state, 'agent'],
        `is agents.${role}, which answers any message and so is not in that state; name another agent`,
        reading,
      )
    const key = principals.find((principal) => principal.name === name)
    if (agent && key && !mayCall(key, agent))
      complain(
        ['states', state, 'agent'],
        `is ${agent}, which the key "${name}" may not call; name one of principals.${name}.agents, or add it there`,
        reading,
      )
    if (key?.revoked)
      complain(
        ['states', state, 'principal'],
        `is "${name}", which is revoked and so is in no state; name another`,
        reading,
      )
  }
}

const receiver: Rule = ({ receiver: { mode, development }, session }, _, reading) => {
  if (mode === 'none') return
  if (session === null)
    complain(
      ['receiver', 'mode'],
      `is ${mode}, but only a signed-in user makes webhooks, and none is declared; add session.headers`,
      reading,
    )
  if (mode === 'loopback' && !development)
    complain(
      ['receiver', 'mode'],
      'is loopback, but a service delivers to its own machine in development only; set receiver.development, or make it public',
      reading,
    )
}

/** Of one turn only one of these can be the case. */
const exclusive: readonly StateId[] = [
  'chat.paused',
  'plan.disallows',
  'workflow.current',
  'stream.error',
  'server.500',
  'server.503',
  'credits.exhausted',
  'rate.limited',
]

/** The same agent, message and principal in two states of which one keeps the other out. */
const pairs: Rule = (target, _, reading) => {
  const fixtures = fixturesOf(target)
  fixtures.forEach(([state, fixture], i) => {
    const earlier = fixtures.slice(0, i).find(([other, against]) => {
      const agentWide = ofAgents.includes(state) || ofAgents.includes(other)
      const both = agentWide || (exclusive.includes(state) && exclusive.includes(other))
      return both && isSame(fixture, against, agentWide)
    })
    if (earlier)
      complain(
        ['states', state],
        `is provided by the fixture of states.${earlier[0]}, and both cannot be; name another`,
        reading,
      )
  })
}

function isSame(one: Fixture, other: Fixture, anyMessage: boolean): boolean {
  if (one.agent === '' || one.agent !== other.agent || one.principal !== other.principal) return false
  return anyMessage || one.message === other.message
}
