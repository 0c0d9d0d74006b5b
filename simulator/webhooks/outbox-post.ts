/** Gets what posts, at the first delivery: a simulator without webhooks starts and ends without it. */
import type { Poster } from './guard/guard.ts'

export async function loadPoster(): Promise<Poster> {
  // The client comes along, so that the first attempt does not wait for it within its time.
  const [{ createPoster }] = await Promise.all([import('./guard/poster.ts'), import('undici')])
  return createPoster()
}
