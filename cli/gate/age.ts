/** How old a run is, in words. */
import { counted } from '../../reports/html/elements/words.ts'

const ageUnits = Object.entries({ day: 86_400_000, hour: 3_600_000, minute: 60_000 })

/** In the largest unit of which there are at least two. */
export function ageWords(milliseconds: number): string {
  const [unit, length] = ageUnits.find(([, one]) => milliseconds >= 2 * one) ?? ['second', 1_000]
  return counted(Math.floor(milliseconds / length), unit)
}
