import type { RunRecord } from '../record.ts'

type Used = RunRecord['used']

/** What shards used together. They run side by side, so the time is that of the longest. */
export function usedTogether(shards: readonly { used: Used }[]): Used {
  const all = (name: keyof Used): readonly number[] => shards.map(({ used }) => used[name])
  const total = (name: keyof Used): number => all(name).reduce((sum, one) => sum + one, 0)
  return {
    requests: total('requests'),
    turns: total('turns'),
    credits: total('credits'),
    wallSeconds: Math.max(...all('wallSeconds')),
  }
}
