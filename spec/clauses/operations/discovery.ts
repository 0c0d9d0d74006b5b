import { implied, must, stated } from '../../clause.ts'
import { quoted } from '../../quoted.ts'

const list = 'Endpoints, Operations catalog, GET /api/v1/operations'
const catalog = 'What the service does, Operations catalog'
const permitted = 'Lists the operations the calling key may use'

export const discoveryClauses = {
  'OPS-LIST': must(
    'A key that asks which operations it may use is answered 200 with JSON.',
    stated(list, permitted),
  ),
  'OPS-SCHEMA': must(
    'Every operation in the list comes with an input schema.',
    stated(list, 'with an input schema for each'),
  ),
  'OPS-LISTED-PERMITTED': must(
    'An operation in the list of a key is not refused to it for permission.',
    stated(list, permitted),
  ),
  'OPS-UNLISTED-REFUSED': must(
    'An operation that is not in the list of a key is refused to it.',
    implied('Endpoints, Operations catalog, last paragraph', [
      'discovery is authoritative for a key',
      'Runs any permitted operation',
    ]),
  ),
  'OPS-PER-KEY': must(
    'A key without `agent_design_read` does not find `agent_setup.inspect` in its list.',
    implied(list, [permitted, quoted.inspection]),
  ),
  'OPS-ONE-CATALOG': must(
    'HTTP API, dashboard, command line, client library and MCP connectors offer operations of one catalog.',
    stated(catalog, 'come from one catalog', { observe: 'inside' }),
  ),
} as const
