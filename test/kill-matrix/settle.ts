/**
 * What a fault kills, from what it turned red in one telling or more. Whoever comes first in a race is not ours to
 * say, so a cell of the matrix can be red in one run and green in the next. A fault that was told once and agrees
 * with the file is settled; any other is told again, and a cell is recorded as
 *
 * - `kills` where it was red every time,
 * - `sometimes` where it was red in some tellings only. It proves nothing, and is never drift: neither seen nor unseen.
 *
 * What the file has as `sometimes` stays so while there is the fault; delete its line to have it measured anew.
 * Under `--check` a kill has gone only where no telling shows it, and is new only where every telling does: a cell
 * that flickers and that the file does not know yet fails a check only by the same luck four times in a row.
 */

/** Check ids. */
export interface Cells {
  readonly kills: readonly string[]
  readonly sometimes: readonly string[]
}

type Tellings = readonly (readonly string[])[]

/** How often a fault is told again that does not agree with the file. */
export const again = 3

export function settled(tellings: Tellings, recorded: Cells | undefined): Cells {
  const seen = [...new Set(tellings.flat())].sort()
  const always = (check: string): boolean => tellings.every((red) => red.includes(check))
  const flickers = recorded?.sometimes ?? []
  const kills = seen.filter((check) => always(check) && !flickers.includes(check))
  const others = seen.filter((check) => !always(check))
  return { kills, sometimes: [...new Set([...flickers, ...others])].sort() }
}

/** Where the tellings and the file cannot both be right. */
export function drift(
  tellings: Tellings,
  recorded: Cells,
): { gone: readonly string[]; come: readonly string[] } {
  const known = [...recorded.kills, ...recorded.sometimes]
  const seen = new Set(tellings.flat())
  return {
    gone: recorded.kills.filter((check) => !seen.has(check)),
    come: settled(tellings, recorded).kills.filter((check) => !known.includes(check)),
  }
}

/** Whether one telling says the same as the file. */
export function isCalm(red: readonly string[], recorded: Cells | undefined): boolean {
  if (!recorded) return false
  const { gone, come } = drift([red], recorded)
  return gone.length + come.length === 0
}
