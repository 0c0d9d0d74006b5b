/**
 * Determines what a fault kills from one or more runs. Because of races a check can fail in one run and pass in the
 * next. A fault whose first run agrees with the file is settled; any other runs again, and a cell is recorded as
 *
 * - `kills` if the check failed in every run,
 * - `sometimes` if it failed in some runs only. It proves nothing and never counts as a difference.
 *
 * `sometimes` in the file is permanent; delete the line to measure it again. With `--check`, a kill is gone only if no
 * run shows it and new only if every run does, so an unrecorded flickering cell rarely fails a check.
 */

/** Check ids. */
export interface Cells {
  readonly kills: readonly string[]
  readonly sometimes: readonly string[]
}

type CellRuns = readonly (readonly string[])[]

/** Additional runs of a fault that does not agree with the file. */
export const again = 3

export function settled(runs: CellRuns, recorded: Cells | undefined): Cells {
  const seen = [...new Set(runs.flat())].sort()
  const always = (check: string): boolean => runs.every((red) => red.includes(check))
  const flickers = recorded?.sometimes ?? []
  const kills = seen.filter((check) => always(check) && !flickers.includes(check))
  const others = seen.filter((check) => !always(check))
  return { kills, sometimes: [...new Set([...flickers, ...others])].sort() }
}

/** Contradictions between the runs and the file. */
export function drift(runs: CellRuns, recorded: Cells): { gone: readonly string[]; come: readonly string[] } {
  const known = [...recorded.kills, ...recorded.sometimes]
  const seen = new Set(runs.flat())
  return {
    gone: recorded.kills.filter((check) => !seen.has(check)),
    come: settled(runs, recorded).kills.filter((check) => !known.includes(check)),
  }
}

/** Whether one run agrees with the file. */
export function agrees(red: readonly string[], recorded: Cells | undefined): boolean {
  if (!recorded) return false
  const { gone, come } = drift([red], recorded)
  return gone.length + come.length === 0
}
