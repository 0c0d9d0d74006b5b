/** Every surface by its name. */
import type { Surfaces } from '../surface.ts'
import { files } from './files.ts'
import { judges } from './judges.ts'
import { listening } from './listening.ts'
import { readers } from './readers.ts'
import { recorders } from './recorder.ts'
import { simulators } from './simulator.ts'

export const surfaces: Surfaces = {
  ...simulators,
  ...readers,
  ...judges,
  ...listening,
  ...files,
  ...recorders,
}
