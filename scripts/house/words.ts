/** Words that docs/glossary.md retires, wherever a reader meets them: names, comments, messages, docs. */
import type { Source } from './sources.ts'

/** Each word with its forms. Only such as nobody needs in another sense; the glossary says what stands in their place. */
const retired: Readonly<Record<string, readonly string[]>> = {
  story: ['stories'],
  tell: ['tells', 'told', 'telling'],
  play: ['plays', 'played', 'player', 'players', 'playing'],
  stage: ['stages', 'scene', 'arrange', 'arranged'],
  world: ['worlds', 'resident', 'residents', 'reception', 'lobby'],
  deviation: ['deviations', 'oddity', 'oddities'],
  disturbance: ['disturbances', 'disturb', 'disturbed'],
  ladder: ['ladders', 'rung', 'rungs', 'climb', 'climbs', 'climbed'],
  witness: ['witnesses', 'refutes'],
  patience: [],
  keeper: ['keepers', 'shelf', 'shelves'],
  door: ['doors', 'knock', 'knocks', 'crowd'],
  office: ['parcel', 'parcels', 'pump'],
  letterhead: ['docket', 'dockets', 'exhibit', 'exhibits'],
  equipment: ['desk', 'desks'],
  heard: ['mend', 'mended', 'undone', 'spell', 'spells', 'spelt', 'spelling', 'spellings'],
  musts: ['shoulds'],
}

const wordOf = new Map(
  Object.entries(retired).flatMap(([word, forms]) => [word, ...forms].map((form) => [form, word] as const)),
)

/** `toldBefore`, `told_before` and `Told` all have the word `told`. */
const parts = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g

/** How often each retired word stands in these texts, in the order of the table. */
export function retiredWords(files: readonly Source[]): ReadonlyMap<string, number> {
  const counts = new Map(Object.keys(retired).map((word) => [word, 0]))
  for (const { text } of files)
    for (const [part] of text.matchAll(parts)) {
      const word = wordOf.get(part.toLowerCase())
      if (word !== undefined) counts.set(word, (counts.get(word) ?? 0) + 1)
    }
  return counts
}

/** The files in which they stand most often. */
export function worst(files: readonly Source[], most: number): readonly (readonly [string, number])[] {
  return files
    .map(
      (file) =>
        [
          file.path,
          retiredWords([file])
            .values()
            .reduce((sum, count) => sum + count, 0),
        ] as const,
    )
    .filter(([, count]) => count > 0)
    .sort(([, one], [, other]) => other - one)
    .slice(0, most)
}
