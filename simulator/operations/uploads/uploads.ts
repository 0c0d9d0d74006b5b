/** Uploads of documents and spreadsheets: their rows of the catalogue, the routes of their steps, their interpretations. */
import { uploadKinds } from '../account-data.ts'
import type { ServiceRoute } from '../../server/route.ts'
import { atOnceRoute } from './at-once.ts'
import { finalizeStep } from './finalize.ts'
import { prepareStep } from './prepare.ts'
import { stepRoute } from './step.ts'

export { uploadInterpretations } from './interpretations.ts'
export { uploadOperations } from './rows.ts'

export const uploadRoutes: readonly ServiceRoute[] = uploadKinds.flatMap((kind) => [
  stepRoute(kind, prepareStep),
  stepRoute(kind, finalizeStep),
  atOnceRoute(kind),
])
