/** The stories about operations: every scenario by id, `<file>/<story>`. Every file with stories stands here; a test says so. */
import type { AnyScenario } from '../engine/scenario.ts'
import { byId } from '../story-ids.ts'

const files = {} as const satisfies Readonly<Record<string, Readonly<Record<string, AnyScenario>>>>

export const operationScenarios: Readonly<Record<string, AnyScenario>> = byId(files)
