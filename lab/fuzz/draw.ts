/** Draws for one input: the same seed, surface and number always give the same ones. */
export interface Draw {
  /** A whole number in [0, below). */
  below(below: number): number
  /** True so many times in a hundred. */
  chance(percent: number): boolean
  /** Throws for an empty list. */
  from<T>(list: readonly T[]): T
}

/** FNV-1a: close seeds come far apart. */
function hashed(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}

export function drawOf(seed: number, surface: string, input: number): Draw {
  let state = hashed(`${seed}/${surface}/${input}`)
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (limit: number): number => Math.floor(next() * limit)
  return {
    below,
    chance: (percent) => next() * 100 < percent,
    from<T>(list: readonly T[]): T {
      if (list.length === 0) throw new RangeError('nothing to draw from: the list is empty')
      return list[below(list.length)] as T
    },
  }
}
