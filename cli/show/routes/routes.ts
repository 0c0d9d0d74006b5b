/** Every route of spec/show.yaml: its path and what answers it. */
import type { operations } from '../../../spec/types/show.ts'
import type { NamedRun } from '../named-runs.ts'
import type { OpenedRuns } from '../opened-runs.ts'
import { changesFrom } from './changes.ts'
import { checkDetail } from './check.ts'
import { checkList } from './checks.ts'
import { exchangeDetail } from './exchange.ts'
import { exchangeList } from './exchanges.ts'
import { overviewOf } from './overview.ts'
import { proofOf } from './proof.ts'
import { RefusedRequest } from './refused-request.ts'
import { runList } from './run-list.ts'
import { examineTarget, readTargetFile, runAgain, saveTargetFile } from './session.ts'
import { addWaiver, waiverChoice } from './waivers.ts'
import { verificationOf } from './verification.ts'

interface Asked {
  path: Readonly<Record<string, string | undefined>>
  query: URLSearchParams
  /** Undefined for a request without one. */
  body: unknown
}

/** The server itself opens a session, before it asks for the token, and sends the stream. */
type Operation = Exclude<keyof operations, 'openSession' | 'followLiveRun'>
type Success = 200 | 201 | 202
type Body<O extends Operation, R = operations[O]['responses']> = R[keyof R & Success] extends {
  content: { 'application/json': infer B }
}
  ? B
  : never

type Handle<T = unknown> = (runs: OpenedRuns, asked: Asked) => T | Promise<T>

export interface ShowRoute<T = unknown> {
  method: 'GET' | 'POST' | 'PUT'
  path: string
  status: Success
  handle: Handle<T>
}

const route =
  (method: ShowRoute['method'], status: Success = 200) =>
  <T>(path: string, handle: Handle<T>): ShowRoute<T> => ({ method, path, status, handle })
const get = route('GET')

function runOf({ runs }: OpenedRuns, id: string | undefined): NamedRun {
  const found = runs.find((run) => run.id === id)
  if (found) return found
  throw new RefusedRequest(
    404,
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
  throw new RefusedRequest(404, `${what}: the run has none of this id.`)
}

export const showRoutes: { readonly [O in Operation]: ShowRoute<Body<O>> } = {
  runAgain: route('POST', 202)('/api/reruns', (runs, { body }) => runAgain(runs, body)),
  readTargetFile: get('/api/target-file', readTargetFile),
  saveTargetFile: route('PUT')('/api/target-file', (runs, { body }) => saveTargetFile(runs, body)),
  examineTarget: route('POST')('/api/target-file/examination', (runs, { body }) => examineTarget(runs, body)),
  listRuns: get('/api/runs', runList),
  readRun: get('/api/runs/{run}', ofRun(overviewOf)),
  verifyRun: get(
    '/api/runs/{run}/verification',
    ofRun((runs, run, { query }) => verificationOf(runs, run, query.get('rejudge') === 'true')),
  ),
  listChecks: get(
    '/api/runs/{run}/checks',
    ofRun((runs, run, { query }) => checkList(runs, run, query)),
  ),
  readCheck: get(
    '/api/runs/{run}/checks/{check}',
    ofRun(async (runs, run, { path: { check } }) => found(await checkDetail(runs, run, check ?? ''), check)),
  ),
  readWaiverChoice: get(
    '/api/runs/{run}/checks/{check}/waiver',
    ofRun((runs, run, { path: { check } }) => waiverChoice(runs, run, check)),
  ),
  addWaiver: route('POST', 201)(
    '/api/runs/{run}/checks/{check}/waiver',
    ofRun((runs, run, { path: { check }, body }) => addWaiver(runs, run, check, body)),
  ),
  listExchanges: get(
    '/api/runs/{run}/exchanges',
    ofRun((runs, run, { query }) => exchangeList(runs, run, query)),
  ),
  readExchange: get(
    '/api/runs/{run}/exchanges/{exchange}',
    ofRun(async (runs, run, { path: { exchange } }) =>
      found(await exchangeDetail(runs, run, Number(exchange)), exchange),
    ),
  ),
  compareRuns: get(
    '/api/runs/{run}/changes',
    ofRun((runs, run, { query }) => changesFrom(runs, runOf(runs, query.get('since') ?? undefined), run)),
  ),
  listProof: get('/api/runs/{run}/faults', ofRun(proofOf)),
}
