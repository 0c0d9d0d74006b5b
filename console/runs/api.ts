/** The routes of `touchstone show`, typed by spec/show.yaml. */
import type { components, paths } from '../../spec/types/show.ts'
import { bodyOf, createApi } from '../state/api.ts'
import { runId } from './address.ts'

export type Schemas = components['schemas']

const api = createApi<paths>()
const ofRun = (run: string) => ({ path: { run } })

export const redeemCode = (code: string) => bodyOf(api.GET('/api/session', { params: { query: { code } } }))
export const runAgain = (checks: readonly string[] | null) =>
  bodyOf(api.POST('/api/reruns', { body: { checks: checks === null ? null : [...checks] } }))
export const readTargetFile = () => bodyOf(api.GET('/api/target-file'))
export const saveTargetFile = (text: string, digest: string) =>
  bodyOf(api.PUT('/api/target-file', { body: { text, digest } }))
export const examineTarget = (text: string) =>
  bodyOf(api.POST('/api/target-file/examination', { body: { text } }))
const ofCheck = (check: string) => ({ params: { path: { run: runId.value, check } } })
export const readWaiverChoice = (check: string) =>
  bodyOf(api.GET('/api/runs/{run}/checks/{check}/waiver', ofCheck(check)))
export const addWaiver = (check: string, body: Schemas['Waiver']) =>
  bodyOf(api.POST('/api/runs/{run}/checks/{check}/waiver', { ...ofCheck(check), body }))
export const listRuns = () => bodyOf(api.GET('/api/runs'))
export const readRun = (run: string) => bodyOf(api.GET('/api/runs/{run}', { params: ofRun(run) }))
export const verifyRun = (run: string, rejudge: boolean) =>
  bodyOf(api.GET('/api/runs/{run}/verification', { params: { ...ofRun(run), query: { rejudge } } }))
export const readCheck = (check: string) =>
  bodyOf(api.GET('/api/runs/{run}/checks/{check}', { params: { path: { run: runId.value, check } } }))
export const readExchange = (exchange: number) =>
  bodyOf(
    api.GET('/api/runs/{run}/exchanges/{exchange}', { params: { path: { run: runId.value, exchange } } }),
  )
export const compareRuns = (since: string) =>
  bodyOf(api.GET('/api/runs/{run}/changes', { params: { ...ofRun(runId.value), query: { since } } }))
export const listProof = () => bodyOf(api.GET('/api/runs/{run}/faults', { params: ofRun(runId.value) }))

type ListQuery<P extends keyof paths> = paths[P] extends { get: { parameters: { query?: infer Q } } }
  ? Q
  : never

export const listChecks = (query: ListQuery<'/api/runs/{run}/checks'>) =>
  bodyOf(api.GET('/api/runs/{run}/checks', { params: { ...ofRun(runId.value), query } }))
export const listExchanges = (query: ListQuery<'/api/runs/{run}/exchanges'>) =>
  bodyOf(api.GET('/api/runs/{run}/exchanges', { params: { ...ofRun(runId.value), query } }))
