/** Scenario ids from the files that tell them: `<file>/<scenario>`. */
import type { AnyScenario } from './scenario/scenario.ts'

type Files = Readonly<Record<string, Readonly<Record<string, AnyScenario>>>>

export function byId(files: Files): Readonly<Record<string, AnyScenario>> {
  return Object.fromEntries(
    Object.entries(files).flatMap(([file, scenarios]) =>
      Object.entries(scenarios).map(([name, scenario]) => [`${file}/${kebab(name)}`, scenario] as const),
    ),
  )
}

export function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}
