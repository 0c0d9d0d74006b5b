/** A standing object that is in the state: the scenario speaks with it, and nothing is changed. */
import type { StateProvider } from './provider.ts'

export const fixture: StateProvider<'fixture'> = {
  enter(_, { agent, message, principal, session }) {
    const given = {
      ...(agent === undefined ? {} : { agentId: agent }),
      ...(message === undefined ? {} : { message }),
      ...(principal === undefined ? {} : { principal }),
      ...(session === undefined ? {} : { session }),
    }
    return Promise.resolve({ given })
  },
  leaver: () => null,
}
