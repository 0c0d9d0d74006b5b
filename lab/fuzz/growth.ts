/** Whether a reader's time grows with its input or with the square of it. Compares times of one run, never a time alone. */
import type { Feed, Surface } from './surface.ts'

const least = 4_096
const most = 1 << 20
/** From here on a time says something. */
const noticeableMs = 8

async function timed(feed: Feed, input: Uint8Array): Promise<number> {
  const before = process.threadCpuUsage()
  await feed.feed(input)
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1_000
}

/** How often a time that says something is taken again before it is believed: a collection of garbage comes and goes. */
const rounds = 12

async function quickest(feed: Feed, input: Uint8Array, times = 3): Promise<number> {
  let quick = Infinity
  for (let i = 0; i < times; i++) quick = Math.min(quick, await timed(feed, input))
  return quick
}

const isSteep = (once: number, longer: number): boolean => longer > noticeableMs && longer > 10 * once

/** What grows too fast, in words. Four times the bytes may take ten times as long: with the square it were sixteen. */
export async function growsTooFast(surface: Surface, feed: Feed): Promise<readonly string[]> {
  const found: string[] = []
  for (const [what, make] of Object.entries(surface.growing ?? {})) {
    for (let size = least; size * 4 <= most; size *= 4) {
      const once = await quickest(feed, make(size))
      if (once < noticeableMs && size * 16 <= most) continue
      if (!isSteep(once, await quickest(feed, make(size * 4)))) break
      const short = await quickest(feed, make(size), rounds)
      const long = await quickest(feed, make(size * 4), rounds)
      if (isSteep(short, long))
        found.push(
          `${what}: ${size} bytes take ${short.toFixed(1)} ms, four times as many ${long.toFixed(1)} ms`,
        )
      break
    }
  }
  return found
}
