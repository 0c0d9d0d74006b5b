/** The commands for processes that tests start, bundled as in the package. */
import { join } from 'node:path'
import { bundledCommands } from '../scripts/package/bundled-commands.ts'

const folder = await bundledCommands()

export const touchstoneBin = join(folder, 'cli/bin.js')
export const serviceClientBin = join(folder, 'client/command-line/bin.js')
