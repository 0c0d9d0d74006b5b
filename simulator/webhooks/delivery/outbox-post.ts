/** Gets what posts, at the first delivery: a simulator without webhooks starts and ends without it. */
import type { Poster } from '../guard/guard.ts'

export async function loadPoster(): Promise<Poster> {
  const { createPoster } = await import('../guard/poster.ts')
  return createPoster()
}
