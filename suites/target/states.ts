/** What a target file may say of a state, and what it has to say of those it does not mention. */
import { states, type StateId } from '../../spec/index.ts'
import { missingFor, type Features } from './features.ts'
import type { Provision } from './target.ts'
import type { TargetFile, WrittenProvision } from './written.ts'

/** States that the suite can bring about alone. A turn is as slow as it is: races then need some luck. */
export const wireStates: readonly StateId[] = ['rate.limited', 'turn.slow']

/** States that concern one request to come, of which no standing object can be in. */
const passing: readonly StateId[] = ['key.uncertain']

type Told = { state: StateId; written: WrittenProvision; file: TargetFile }

interface Rule {
  broken: (told: Told) => boolean
  words: string
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
    broken: ({ state, written }) => written.provide === 'fixture' && passing.includes(state),
    words: 'is the state of a key that is made during the run; provide it by control or none',
  },
  {
    broken: ({ written }) =>
      written.provide === 'fixture' &&
      [written.agent, written.message, written.principal].every((one) => one === undefined),
    words: 'is provided by a fixture; say which agent, message or principal',
  },
  {
    broken: ({ written, file }) => written.provide === 'control' && !file.control,
    words: 'is provided by control, but no control is declared; add control.url',
  },
  {
    broken: ({ written, file }) => written.provide === 'control' && file.target.kind === 'production',
    words: 'is provided by control, which is not used on a production target; provide it by fixture or none',
  },
]

/** What is wrong with how a state is provided, or null. */
export function provisionProblem(state: StateId, written: WrittenProvision, file: TargetFile): string | null {
  const told = { state, written, file }
  return rules.find(({ broken }) => broken(told))?.words ?? null
}

const all = Object.keys(states) as StateId[]

/** States that a file has to mention and does not. `known`: those of which something is said. */
export function unmentioned(known: Readonly<Record<string, unknown>>): readonly StateId[] {
  return all.filter((state) => !(state in known) && !wireStates.includes(state))
}

/** The states that cannot come about, because what they belong to is declared unsupported. */
export function unsupportedStates(features: Features): Readonly<Partial<Record<StateId, Provision>>> {
  return Object.fromEntries(
    all.flatMap((state) => {
      const feature = missingFor(state, features)
      const why = `the target file declares features.${feature} unsupported`
      return feature === undefined ? [] : [[state, { provide: 'none', why }]]
    }),
  )
}

/** A message that ends with lines to paste. */
export function stanzaFor(missing: readonly StateId[]): string {
  const lines = missing.map((state) => `  ${state}: { provide: none, why: "not prepared on this target" }`)
  return `nothing is said of ${missing.join(', ')}; say how each comes about, or paste under states:\n${lines.join('\n')}`
}
