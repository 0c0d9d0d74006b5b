import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Json } from '../../json.ts'
import { openProject, textAt, type Answered, type How, type Project } from '../testing/project.testkit.ts'

let project: Project
beforeEach(async () => {
  project = await openProject()
})
afterEach(() => project.simulator.close())

type Kind = 'document' | 'spreadsheet'
interface File {
  readonly fileName: string
  readonly contentType: string
  readonly bytes: Uint8Array
}

const file = (fileName: string, contentType: string, bytes: string | readonly number[]): File => ({
  fileName,
  contentType,
  bytes: Buffer.from(bytes as string),
})
const faq = file('faq.txt', 'text/plain', 'How long may I return things? 30 days.')
const prices = file('prices.csv', 'text/csv; charset=utf-8', 'name,price\nlamp,12\n')
const hourMs = 60 * 60 * 1000

const prepare = (kind: Kind, { fileName, contentType, bytes }: File, how: How = { key: 'prepare' }) =>
  project.ask('POST', `/uploads/${kind}s/prepare`, { fileName, contentType, size: bytes.length }, how)

const finalize = (kind: Kind, uploadId: string, bytes: Uint8Array, how: How = { key: 'finalize' }) =>
  project.ask(
    'POST',
    `/uploads/${kind}s/finalize`,
    { uploadId, bytes: Buffer.from(bytes).toString('base64') },
    how,
  )

/** Both steps, each with its own key; the answer of the second, or of the first where that is no receipt. */
async function upload(
  kind: Kind,
  sent: File,
  keys: readonly [string, string] = ['p', 'f'],
): Promise<Answered> {
  const prepared = await prepare(kind, sent, { key: keys[0] })
  const id = textAt(prepared, 'data', 'uploadId')
  return id === '' ? prepared : finalize(kind, id, sent.bytes, { key: keys[1] })
}

const stored = (): Promise<Json> => project.count('knowledge.list')
const outcome = ({ status, body }: Answered): readonly Json[] => [
  status,
  body['status'] ?? body['error'] ?? null,
]
const errorOf = (answer: Answered): string => textAt(answer, 'error', 'code')

describe('a prepared upload that lapsed', () => {
  test('of a document fails and names its approval, then goes on with the same two keys', async () => {
    const { tenant } = project.simulator
    const id = textAt(await prepare('document', faq), 'data', 'uploadId')
    await tenant.clock.advance(hourMs)
    const failed = await finalize('document', id, faq.bytes)
    expect([failed.status, errorOf(failed)]).toEqual([422, 'UPLOAD_RENEWAL_INCOMPLETE'])
    const approvalId = textAt(failed, 'approval_id')
    expect(textAt(failed, 'error', 'resolution')).toContain(approvalId)
    expect((await project.approval(approvalId)).body).toMatchObject({ state: 'pending' })
    expect(await finalize('document', id, faq.bytes)).toEqual(failed)
    tenant.decide(approvalId, 'approved')
    expect(outcome(await finalize('document', id, faq.bytes))).toEqual([200, 'completed'])
    expect(await stored()).toBe(1)
    expect(tenant.approvals()).toHaveLength(1)
  })

  test('lapses when it is said, too', async () => {
    const { tenant } = project.simulator
    expect(() => tenant.lapseUpload({ key: 'prepare' })).toThrow(/prepare it first/)
    const id = textAt(await prepare('document', faq), 'data', 'uploadId')
    tenant.lapseUpload({ key: 'prepare' })
    expect(errorOf(await finalize('document', id, faq.bytes))).toBe('UPLOAD_RENEWAL_INCOMPLETE')
  })

  test('and was rejected is never stored', async () => {
    const { tenant } = project.simulator
    const id = textAt(await prepare('document', faq), 'data', 'uploadId')
    await tenant.clock.advance(hourMs)
    tenant.decide(textAt(await finalize('document', id, faq.bytes), 'approval_id'), 'rejected')
    expect(errorOf(await finalize('document', id, faq.bytes))).toBe('APPROVAL_REJECTED')
    expect(await stored()).toBe(0)
  })

  test('of a spreadsheet is renewed by itself', async () => {
    const id = textAt(await prepare('spreadsheet', prices), 'data', 'uploadId')
    await project.simulator.tenant.clock.advance(hourMs)
    expect(outcome(await finalize('spreadsheet', id, prices.bytes))).toEqual([202, 'accepted'])
  })

  test('while the owner thought about it still goes on', async () => {
    const { tenant } = project.simulator
    const held = await upload('document', faq)
    await tenant.clock.advance(2 * hourMs)
    tenant.decide(textAt(held, 'approval_id'), 'approved')
    expect(outcome(await upload('document', faq))).toEqual([200, 'completed'])
  })
})
