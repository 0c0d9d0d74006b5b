/** Uploads of documents and spreadsheets: their rows of the catalogue, the routes of their steps, their readings. */
import type { ServiceRoute } from '../http/route.ts'
import type { Operation } from './operation.ts'
import type { OperationReadings } from './readings.ts'

export const uploadOperations: readonly Operation[] = []
export const uploadRoutes: readonly ServiceRoute[] = []

export const uploadReadings: Pick<OperationReadings, 'GAP-UPLOAD-ROUTES' | 'GAP-UPLOAD-RENEWAL'> = {
  'GAP-UPLOAD-ROUTES': { 'two-steps': {} },
  'GAP-UPLOAD-RENEWAL': { lapsed: {} },
}
