/** What a target file may say of a state, and what it has to say of those it does not mention. */
import {
  eventState,
  nearState,
  states,
  webhookEvents,
  type StateId,
  type WebhookEvent,
} from '../../spec/index.ts'
import { isOfScenarios, missingFor, type Features } from './features.ts'
import type { Provision, TargetFile, WrittenHook, WrittenProvision } from './target.ts'
import { forcing, type Provide } from './provided.ts'
import { isReference, templateNamesIn, templateNames } from './template.ts'
import { complain, type Reading } from './file/source-map.ts'

/** States that the suite can bring about alone. A turn is as slow as it is: races then need some luck. */
export const wireStates: readonly StateId[] = ['rate.limited', 'turn.slow']

/** States that concern one future request, so that nothing can be probed. */
const passing: readonly StateId[] = ['key.uncertain']

/** States of what is made during the run, which a person can still be shown. */
const ofRun: Readonly<Partial<Record<StateId, string>>> = {
  'approval.approved': 'an approval',
  'approval.rejected': 'an approval',
  'task.finished': 'a task',
  'operation.uncertain': 'a key',
}

type DeclaredState = { state: StateId; written: WrittenProvision; file: TargetFile }

interface Rule {
  broken: (declared: DeclaredState) => boolean
  words: string | ((declared: DeclaredState) => string)
}

type Member = Exclude<keyof WrittenProvision, 'provide'>

/** Every provider of it says what is in the state. */
const subject = ['agent', 'message', 'principal', 'session'] as const

const members: Readonly<Record<Provide, readonly Member[]>> = {
  wire: [],
  fixture: subject,
  control: subject,
  http: ['enter', 'leave', 'timeoutSeconds', ...subject],
  exec: ['enter', 'leave', 'timeoutSeconds', 'environment', ...subject],
  manual: ['instruction', 'undo', 'timeoutSeconds', ...subject],
  attest: ['by', 'on', 'note'],
  none: ['why'],
}

const needed: Readonly<Partial<Record<Provide, readonly Member[]>>> = {
  http: ['enter'],
  exec: ['enter'],
  manual: ['instruction'],
  attest: ['by', 'on', 'note'],
}

const isRequest = (hook: WrittenHook | undefined): boolean => hook !== undefined && !Array.isArray(hook)
const isProgram = (hook: WrittenHook | undefined): boolean => Array.isArray(hook)

function foreign({ written: { provide, ...given } }: DeclaredState): readonly string[] {
  const known: readonly string[] = members[provide]
  return Object.keys(given).filter((name) => !known.includes(name))
}

function lacking({ written }: DeclaredState): readonly Member[] {
  return (needed[written.provide] ?? []).filter((name) => written[name] === undefined)
}

function unknownNames({
  written: { provide, enter, leave, instruction, undo },
}: DeclaredState): readonly string[] {
  const known: readonly string[] = templateNames
  return templateNamesIn([enter, leave, instruction, undo]).filter(
    (name) => !known.includes(name) && !(provide === 'http' && isReference(name)),
  )
}

const rules: readonly Rule[] = [
  {
    broken: ({ written }) => written.provide === 'none' && written.why === undefined,
    words: 'is provided by none; say why',
  },
  {
    broken: ({ state, written }) => written.provide === 'wire' && !wireStates.includes(state),
    words: 'cannot come about on the wire alone; provide it by fixture, control or none',
  },
  {
    broken: ({ state, written }) => written.provide === 'manual' && passing.includes(state),
    words:
      'is the state of a key that is made during the run; provide it by fixture, control, http, exec or none',
  },
  {
    broken: ({ state, written }) => written.provide === 'fixture' && state in ofRun,
    words: ({ state }) =>
      `is the state of ${ofRun[state]} that is made during the run; provide it by control, http, exec, manual or none`,
  },
  {
    broken: ({ written }) =>
      written.provide === 'fixture' && subject.every((name) => written[name] === undefined),
    words: 'is provided by a fixture; say which agent, message, principal or session',
  },
  {
    broken: ({ state, written }) => written.session !== undefined && state !== 'plan.without-webhooks',
    words: 'is no state of a signed-in user; take "session" out',
  },
  {
    broken: ({ written, file }) => written.provide === 'control' && !file.control,
    words: 'is provided by control, but no control is declared; add control.url',
  },
  {
    broken: ({ written, file }) => forcing.includes(written.provide) && file.target.kind === 'production',
    words: ({ written }) =>
      `is provided by ${written.provide}, which is not used on a production target; provide it by fixture or none`,
  },
  {
    broken: (declared) => lacking(declared).length > 0,
    words: (declared) =>
      `is provided by ${declared.written.provide}, and lacks ${quoted(lacking(declared))}; add it`,
  },
  {
    broken: (declared) => foreign(declared).length > 0,
    words: (declared) =>
      `is provided by ${declared.written.provide}, which has no ${quoted(foreign(declared))}; take it out${hint(declared.written.provide)}`,
  },
  {
    broken: ({ written: { provide, enter, leave } }) =>
      provide === 'http' && (isProgram(enter) || isProgram(leave)),
    words:
      'is provided by http, and a program is given; give a request such as { method: POST, url: "env:URL" }',
  },
  {
    broken: ({ written: { provide, enter, leave } }) =>
      provide === 'exec' && (isRequest(enter) || isRequest(leave)),
    words:
      'is provided by exec, and a request is given; give a program such as ["./pause-agent", "{{agentId}}"]',
  },
  {
    broken: (declared) => unknownNames(declared).length > 0,
    words: (declared) => `speaks of {{${unknownNames(declared)[0]}}}; known are ${templateNames.join(', ')}`,
  },
]

function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ')
}

function hint(provide: Provide): string {
  const known = members[provide]
  return known.length === 0 ? '' : `, or use ${known.join(', ')}`
}

/** The ways to a state. Notes two that `cleanup` could not distinguish. */
export function waysOf(
  state: string,
  written: WrittenProvision | readonly WrittenProvision[],
  reading: Reading,
): readonly WrittenProvision[] {
  const ways = [written].flat()
  const left = ways.filter(({ leave, undo }) => leave !== undefined || undo !== undefined)
  if (new Set(left.map(({ provide, agent }) => `${provide} ${agent}`)).size < left.length)
    complain(['states', state], 'has two ways to leave it by one provider; give each its `agent`', reading)
  return ways
}

export function provisionProblems(
  state: StateId,
  written: WrittenProvision,
  file: TargetFile,
): readonly string[] {
  const declared = { state, written, file }
  return rules
    .filter(({ broken }) => broken(declared))
    .map(({ words }) => (typeof words === 'function' ? words(declared) : words))
}

const all = Object.keys(states) as StateId[]

/** What a file says of every event that has no entry of its own. */
export const anyEvent = 'event.*'
/** And of what comes near every event that has no entry of its own. */
export const anyNear = 'no-event.*'

export function eventsNamed<Provided>(
  provided: Readonly<Record<string, Provided>>,
): Readonly<Record<string, Provided>> {
  const { [anyEvent]: every, [anyNear]: near, ...named } = provided
  const names = Object.keys(webhookEvents) as WebhookEvent[]
  const all = (provision: Provided | undefined, stateOf: (event: WebhookEvent) => StateId) =>
    provision ? Object.fromEntries(names.map((name) => [stateOf(name), provision])) : {}
  return { ...all(every, eventState), ...all(near, nearState), ...named }
}

export function unmentioned(known: Readonly<Record<string, unknown>>): readonly StateId[] {
  return all.filter((state) => !(state in known) && !wireStates.includes(state) && !isOfScenarios(state))
}

export function unsupportedStates(features: Features): Readonly<Partial<Record<StateId, Provision>>> {
  return Object.fromEntries(
    all.flatMap((state) => {
      const feature = missingFor(state, features)
      const why = `the target file declares features.${feature} unsupported`
      return feature === undefined ? [] : [[state, { provide: 'none', why }]]
    }),
  )
}

export function stanzaFor(missing: readonly StateId[]): string {
  const lines = missing.map((state) => `  ${state}: { provide: none, why: "not prepared on this target" }`)
  return `nothing is said of ${missing.join(', ')}; say how each comes about, or paste under states:\n${lines.join('\n')}`
}
