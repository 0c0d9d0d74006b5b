/**
 * `npm run lab -- defects`: plants each way to break the contract in the second server, the other client, the other
 * receiver or, of the older chat variant, the simulator, runs the suite against it, and keeps what was found in
 * test/defects/<part>/found.json.
 *
 *   --part P     one part; --only A,B some ways of it
 *   --before     keeps it as what was found before the suite was fixed (run in a checkout of that suite)
 *   --at-once N  so many of them at a time (default 2)
 *   --missing    those alone that were not found the last time, or never run
 */
import { optionsOf, oneOf, whole } from '../../test/options.ts'
import { runSuite } from '../../suites/runner/drivers/server.ts'
import type { RunRecord } from '../../bundle/record.ts'
import { judgedOther } from '../../test/other-client/start.ts'
import { judgedReceiver } from '../../test/other-receiver/start.ts'
import { startOtherServer } from '../../test/other-server/start.ts'
import { scenariosOf, type RoomId } from '../../test/rooms.ts'
import { simulatedRun } from '../../test/simulated-run.ts'
import {
  foundOf,
  parts,
  waysOf,
  writeFound,
  type Part,
  type Said,
  type Way,
} from '../../test/defects/lists.ts'
import { olderFault, plantedWays } from '../../test/defects/planted.ts'

const { values } = optionsOf({
  options: {
    part: { type: 'string', multiple: true, default: [] },
    only: { type: 'string', default: '' },
    before: { type: 'boolean', default: false },
    missing: { type: 'boolean', default: false },
    'at-once': { type: 'string', default: '2' },
  },
})

/** Where a defect of a part shows, as a rule; what does not show there is looked for everywhere else. */
const near: Readonly<Record<Part, readonly RoomId[]>> = {
  chat: ['chat'],
  'idempotency-workflow-pause': ['chat'],
  operations: ['operations'],
  webhooks: ['webhooks'],
  'clients-receivers': [],
  blind: ['chat'],
}
const everywhere: readonly RoomId[] = ['chat', 'webhooks', 'operations']

const red = (record: RunRecord, verdict: 'fail' | 'warn'): readonly string[] => {
  const subjects = record.findings
    .filter((finding) => finding.verdict === verdict)
    .map(({ subject }) => subject)
  return [...new Set(subjects)].sort()
}

const saidIn = (record: RunRecord): Said => ({ failed: red(record, 'fail'), warned: red(record, 'warn') })

async function runWith(fault: string, rooms: readonly RoomId[]): Promise<Said> {
  const server = await startOtherServer({ fault })
  try {
    const { record } = await runSuite(server.target, { seed: 1, scenarios: scenariosOf(rooms) })
    return saidIn(record)
  } finally {
    server.stop()
  }
}

async function ofServer(part: Part, id: string): Promise<Said> {
  const first = await runWith(id, near[part])
  if (first.failed.length > 0) return first
  const rest = await runWith(
    id,
    everywhere.filter((room) => !near[part].includes(room)),
  )
  return { failed: rest.failed, warned: [...new Set([...first.warned, ...rest.warned])].sort() }
}

/** With nothing but its scenarios: every fault of the variant serves it. */
async function ofOlder(id: string): Promise<Said> {
  const { record } = await simulatedRun({ faults: [olderFault(id)] }, { scenarios: scenariosOf(['older']) })
  return saidIn(record)
}

/** What a client keeps from call to call shows where one process is given all acts. */
async function ofLibrary(fault: string): Promise<Said> {
  const said = saidIn(await judgedOther('library', { fault }))
  if (said.failed.length > 0) return said
  return saidIn(await judgedOther('library', { fault, driven: true, only: ['client-kept/*'] }))
}

async function run(part: Part, { id, of }: Way): Promise<Said> {
  if (of === 'receiver') return saidIn(await judgedReceiver(id))
  if (of === 'older') return ofOlder(id)
  if (of === 'client') return ofLibrary(id)
  return of === 'command-line' ? saidIn(await judgedOther(of, { fault: id })) : ofServer(part, id)
}

const column = values.before ? 'before' : 'now'
const only = values.only === '' ? undefined : values.only.split(',')
const planted = plantedWays()
const wanted = values.part.length === 0 ? parts : values.part.map((name) => oneOf('--part', name, parts))
for (const part of wanted) {
  const found = foundOf(part)
  const left = (id: string): boolean => !values.missing || (found[id]?.[column]?.failed.length ?? 0) === 0
  const ways = waysOf(part).filter(({ id }) => planted.has(id) && left(id) && (only?.includes(id) ?? true))
  const waiting = ways.values()
  const work = async (): Promise<void> => {
    for (const way of waiting) {
      const { id } = way
      const said = await run(part, way)
      found[id] = { ...found[id], [column]: said }
      const { failed, warned } = said
      console.log(
        `${part}/${id}: ${failed.join(' ') || (warned.length > 0 ? `warned of ${warned.join(' ')}` : 'NOT FOUND')}`,
      )
      writeFound(part, found)
    }
  }
  await Promise.all(Array.from({ length: whole('at-once', values['at-once']) }, work))
  const seen = ways.filter(({ id }) => (found[id]?.[column]?.failed.length ?? 0) > 0).length
  console.log(`${part}: ${seen} of ${ways.length} planted ways found`)
}
// The process that servers are forked from would keep this one.
process.exit()
