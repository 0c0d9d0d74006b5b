/** It cannot be had here, for a reason. */
import { NotEntered, unprovided, type StateProvider } from './provider.ts'

export const none: StateProvider<'none'> = {
  enter: (_, { why }) => Promise.reject(new NotEntered(why, unprovided)),
  leaver: () => null,
}
