/** Paired measurements: both sides in turn in one run, so that a noisy machine is noisy for both. */

export interface Side {
  name: string
  /** Does the work once and returns what it took, in milliseconds. */
  once(): Promise<number>
}

export interface Comparison {
  title: string
  ours: { name: string; median: number }
  theirs: { name: string; median: number }
  /** Median of the ratios ours/theirs, pair by pair. */
  ratio: number
}

export async function compare(title: string, ours: Side, theirs: Side, rounds: number): Promise<Comparison> {
  const pairs: [number, number][] = []
  await ours.once()
  await theirs.once()
  for (let round = 0; round < rounds; round += 1) pairs.push([await ours.once(), await theirs.once()])
  return {
    title,
    ours: { name: ours.name, median: median(pairs.map(([a]) => a)) },
    theirs: { name: theirs.name, median: median(pairs.map(([, b]) => b)) },
    ratio: median(pairs.map(([a, b]) => a / b)),
  }
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  const [low, high] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[middle]]
  if (low === undefined || high === undefined) throw new Error('a median needs at least one value')
  return (low + high) / 2
}

export function lineOf({ title, ours, theirs, ratio }: Comparison): string {
  const ms = (value: number) => `${value.toFixed(0)} ms`
  return `${title}: ${ours.name} ${ms(ours.median)}, ${theirs.name} ${ms(theirs.median)}, ratio ${ratio.toFixed(2)}`
}
