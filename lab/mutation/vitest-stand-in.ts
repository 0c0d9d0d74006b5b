/** Tests are gathered here and not run: a mutant runs the few that reach it, many times, in one process. */
import { expect } from 'vitest'

export { expect }

export interface GatheredTest {
  id: string
  run: () => unknown
}

type Body = (...given: never[]) => unknown
/** A row of a table as one argument, or each of its parts as one. */
type Spread = (row: unknown) => readonly unknown[]

const gathered: GatheredTest[] = []
let file = ''

/** Names what is gathered from now on. */
export function gatherFrom(name: string): void {
  file = name
}

export function takeGathered(): readonly GatheredTest[] {
  return gathered.splice(0)
}

function keep(name: string, body: Body, given: readonly unknown[] = []): void {
  const id = `${file}#${gathered.length} ${name}`
  gathered.push({ id, run: () => Reflect.apply(body, undefined, given) })
}

const whole: Spread = (row) => [row]
const parts: Spread = (row) => (Array.isArray(row) ? row : [row])

const testsOf =
  (spread: Spread) =>
  (rows: readonly unknown[]) =>
  (name: string, body: Body): void => {
    for (const row of rows) keep(name, body, spread(row))
  }
const groupsOf =
  (spread: Spread) =>
  (rows: readonly unknown[]) =>
  (_: string, body: Body): void => {
    for (const row of rows) Reflect.apply(body, undefined, spread(row))
  }

const declaring = () =>
  Object.assign((name: string, body: Body) => keep(name, body), { for: testsOf(whole), each: testsOf(parts) })
export const test = declaring()
export const it = declaring()
export const describe = Object.assign((_: string, body: () => void) => body(), {
  for: groupsOf(whole),
  each: groupsOf(parts),
})
