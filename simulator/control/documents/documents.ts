/** The documents that describe the simulator: the contract's, and that of the control routes. */
import { renameIdentifiers } from '../../../spec/rename-identifiers.ts'
import type { JsonObject } from '../../json.ts'
import type { Call } from '../../server/call.ts'
import { ok, type ControlHost, type ControlResponse } from '../answer.ts'
import { ControlRefusal } from '../refusal.ts'

type Load = () => Promise<{ default: object }>

/** Loaded when somebody asks: few do, and each is large. */
const documents: Readonly<Record<string, Load>> = {
  'openapi.json': () => import('../../../spec/bundled/openapi.json', { with: { type: 'json' } }),
  'asyncapi.json': () => import('../../../spec/bundled/asyncapi.json', { with: { type: 'json' } }),
  'control.json': () => import('../../../spec/bundled/control.json', { with: { type: 'json' } }),
}

/** Relative, so that whoever imports the document sends requests to where it came from. */
const servers = [{ url: '/', description: 'The server that this document was read from.' }]

export const readDocument =
  ({ tenant }: ControlHost) =>
  async (call: Call): Promise<ControlResponse> => {
    const name = call.params['document'] ?? ''
    const load = Object.hasOwn(documents, name) ? documents[name] : undefined
    if (!load)
      throw new ControlRefusal(
        404,
        `There is no document \`${name}\` under /_sim/: there are ${Object.keys(documents).join(', ')}.`,
      )
    const renamed = renameIdentifiers((await load()).default, tenant.identifiers) as JsonObject
    return ok('servers' in renamed ? { ...renamed, servers } : renamed)
  }
