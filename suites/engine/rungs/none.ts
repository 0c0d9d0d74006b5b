/** It cannot be had here, for a reason. */
import { NotEntered, unprovided, type Rung } from './rung.ts'

export const none: Rung<'none'> = {
  enter: (_, { why }) => Promise.reject(new NotEntered(why, unprovided)),
  leaver: () => null,
}
