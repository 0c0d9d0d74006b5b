/**
 * Stories that were played once, with what the judges made of them. A judge is a function of a recorded story, so
 * one that was changed is held against what it said of thousands, without sending anything.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { deserialize, serialize } from 'node:v8'
import type { Dialect, Finding, Played } from '../../suites/index.ts'

/** What a judge said, without what is the same of every story. */
export type Said = Pick<Finding, 'check' | 'verdict' | 'reason' | 'detail' | 'expected' | 'got'>

export interface Told {
  /** Which simulator: its fault, variant, reading or seed. */
  by: string
  /** Clauses that it may turn red. */
  breaks: readonly string[]
  dialect: Dialect
  execution: Played
  said: readonly Said[]
}

/** Beside the installed modules, where a copy of the project that shares them finds it too. */
const folder = new URL('../../node_modules/.cache/touchstone-corpus/', import.meta.url)
const fileOf = (story: string): URL => new URL(`${story.replaceAll('/', ' ')}.bin`, folder)
const storyOf = (file: string): string => file.replace(/\.bin$/, '').replaceAll(' ', '/')

export function saidOf({ check, verdict, reason, detail, expected, got }: Finding): Said {
  const optional = { reason, detail, expected, got }
  const given = Object.entries(optional).filter(([, value]) => value !== undefined)
  return { check, verdict, ...Object.fromEntries(given) }
}

/** Replaces whatever was recorded before. */
export function writeCorpus(stories: ReadonlyMap<string, readonly Told[]>): void {
  mkdirSync(folder, { recursive: true })
  const gone = readdirSync(folder).filter((file) => !stories.has(storyOf(file)))
  for (const file of gone) rmSync(new URL(file, folder))
  for (const [story, told] of stories) writeFileSync(fileOf(story), serialize(told))
}

/** Ids of the stories that were recorded. Throws where none was. */
export function recordedStories(): readonly string[] {
  if (!existsSync(folder)) throw new Error('no stories are recorded; run `npm run lab -- mutation --record`')
  return readdirSync(folder).map(storyOf)
}

export function readTold(story: string): readonly Told[] {
  return deserialize(readFileSync(fileOf(story))) as readonly Told[]
}
