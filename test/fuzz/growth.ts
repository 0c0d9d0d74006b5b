/** Whether a reader's time grows with its input or with the square of it. Compares times of one run, never a time alone. */
import type { Feed, Surface } from './surface.ts'

const least = 4_096
const most = 1 << 20
/** From here on a time says something. */
const tellingMs = 8

async function timed(feed: Feed, input: Uint8Array): Promise<number> {
  const before = process.threadCpuUsage()
  await feed.feed(input)
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1_000
}

async function quickest(feed: Feed, input: Uint8Array): Promise<number> {
  const times = []
  for (let i = 0; i < 3; i++) times.push(await timed(feed, input))
  return Math.min(...times)
}

/** What grows too fast, in words. Four times the bytes may take ten times as long: with the square it were sixteen. */
export async function growsTooFast(surface: Surface, feed: Feed): Promise<readonly string[]> {
  const found: string[] = []
  for (const [what, make] of Object.entries(surface.growing ?? {})) {
    for (let size = least; size * 4 <= most; size *= 4) {
      const once = await quickest(feed, make(size))
      if (once < tellingMs && size * 16 <= most) continue
      const longer = await quickest(feed, make(size * 4))
      const told = `${what}: ${size} bytes take ${once.toFixed(1)} ms, four times as many ${longer.toFixed(1)} ms`
      if (longer > tellingMs && longer > 10 * once) found.push(told)
      break
    }
  }
  return found
}
