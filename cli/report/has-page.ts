/** Whether a run bundle has its HTML report: a killed run has not, nor one in which that report could not be made. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { exporters } from '../../reports/index.ts'

export const hasPage = (folder: string): boolean =>
  exporters.some(({ name, file }) => name === 'html' && existsSync(join(folder, file)))
