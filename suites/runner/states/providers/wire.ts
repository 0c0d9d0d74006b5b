/** The suite alone: what it takes is part of the scenario, or of the flood that meets the limit. */
import { noLeave, type StateProvider } from './provider.ts'

export const wire: StateProvider<'wire'> = {
  enter: () => Promise.resolve(noLeave),
  leaver: () => null,
}
