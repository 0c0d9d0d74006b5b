/** Every route of spec/show.yaml: its path and what answers it. */
import type { operations } from '../../../spec/types/show.ts'
import type { NamedRun } from '../named-runs.ts'
import type { OpenedRuns } from '../opened-runs.ts'
import { Absent } from './absent.ts'
import { changesFrom } from './changes.ts'
import { checkDetail } from './check.ts'
import { checkList } from './checks.ts'
import { exchangeDetail } from './exchange.ts'
import { exchangeList } from './exchanges.ts'
import { liveRun } from './live.ts'
import { overviewOf } from './overview.ts'
import { proofOf } from './proof.ts'
import { runList } from './run-list.ts'
import { verificationOf } from './verification.ts'

interface Asked {
  path: Readonly<Record<string, string | undefined>>
  query: URLSearchParams
}

/** A session is opened by the server itself, before it asks for the token. */
type Operation = Exclude<keyof operations, 'openSession'>
type Body<O extends Operation> = operations[O]['responses'][200]['content']['application/json']

export type Handle<T = unknown> = (runs: OpenedRuns, asked: Asked) => T | Promise<T>

function runOf({ runs }: OpenedRuns, id: string | undefined): NamedRun {
  const found = runs.find((run) => run.id === id)
  if (found) return found
  throw new Absent(
    `${id}: no run of this id was named at the start; ${runs.map((run) => run.id).join(', ')} were.`,
  )
}

/** For a route of one run. */
const ofRun =
  <T>(handle: (runs: OpenedRuns, run: NamedRun, asked: Asked) => T | Promise<T>): Handle<T> =>
  (runs, asked) =>
    handle(runs, runOf(runs, asked.path['run']), asked)

function found<T>(value: T | null, what: string | undefined): T {
  if (value !== null) return value
  throw new Absent(`${what}: the run has none of this id.`)
}

export const showRoutes: { readonly [O in Operation]: readonly [path: string, handle: Handle<Body<O>>] } = {
  readLiveRun: ['/api/live', liveRun],
  listRuns: ['/api/runs', runList],
  readRun: ['/api/runs/{run}', ofRun(overviewOf)],
  verifyRun: [
    '/api/runs/{run}/verification',
    ofRun((runs, run, { query }) => verificationOf(runs, run, query.get('rejudge') === 'true')),
  ],
  listChecks: ['/api/runs/{run}/checks', ofRun((runs, run, { query }) => checkList(runs, run, query))],
  readCheck: [
    '/api/runs/{run}/checks/{check}',
    ofRun(async (runs, run, { path: { check } }) => found(await checkDetail(runs, run, check ?? ''), check)),
  ],
  listExchanges: [
    '/api/runs/{run}/exchanges',
    ofRun((runs, run, { query }) => exchangeList(runs, run, query)),
  ],
  readExchange: [
    '/api/runs/{run}/exchanges/{exchange}',
    ofRun(async (runs, run, { path: { exchange } }) =>
      found(await exchangeDetail(runs, run, Number(exchange)), exchange),
    ),
  ],
  compareRuns: [
    '/api/runs/{run}/changes',
    ofRun((runs, run, { query }) => changesFrom(runs, runOf(runs, query.get('since') ?? undefined), run)),
  ],
  listProof: ['/api/runs/{run}/faults', ofRun(proofOf)],
}
