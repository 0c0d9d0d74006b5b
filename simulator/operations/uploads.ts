/** Uploads of documents and spreadsheets: their rows of the catalogue, the routes of their steps, their readings. */
import { uploadKinds } from './account-data.ts'
import type { ServiceRoute } from '../server/route.ts'
import { atOnceRoute } from './upload-at-once.ts'
import { finalizeStep } from './upload-finalize.ts'
import { prepareStep } from './upload-prepare.ts'
import { stepRoute } from './upload-step.ts'

export { uploadReadings } from './upload-readings.ts'
export { uploadOperations } from './upload-rows.ts'

export const uploadRoutes: readonly ServiceRoute[] = uploadKinds.flatMap((kind) => [
  stepRoute(kind, prepareStep),
  stepRoute(kind, finalizeStep),
  atOnceRoute(kind),
])
