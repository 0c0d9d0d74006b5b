import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Json, JsonObject } from '../../json.ts'
import { at, openProject, textAt, type Answered, type How, type Project } from '../testing/project.testkit.ts'

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
const zip = [0x50, 0x4b, 0x03, 0x04, 0x14, 0x00]
const xlsx = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
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

describe('a document', () => {
  test('waits for the owner and is not stored before', async () => {
    const held = await upload('document', faq)
    expect(outcome(held)).toEqual([202, 'pending_approval'])
    expect(await stored()).toBe(0)
    const approval = await project.approval(textAt(held, 'approval_id'))
    expect(approval.body).toMatchObject({ state: 'pending' })
    const book = JSON.stringify(project.simulator.tenant.approvals().map(({ job }) => job.input))
    expect(book).not.toContain(Buffer.from(faq.bytes).toString('base64'))
    expect(await upload('document', faq)).toEqual(held)
  })

  test.for(['itself', 'again'] as const)(
    'once approved is stored when the same two keys come again (approved work runs %s)',
    async (interpretation) => {
      project.simulator.tenant.setModifications({
        interpretations: { 'GAP-APPROVAL-CONTINUES': interpretation },
      })
      const id = textAt(await upload('document', faq), 'approval_id')
      project.simulator.tenant.decide(id, 'approved')
      expect(await stored()).toBe(0)
      expect((await project.approval(id)).body).toMatchObject({ state: 'approved' })
      const done = await upload('document', faq)
      expect(outcome(done)).toEqual([200, 'completed'])
      const sha256 = createHash('sha256').update(faq.bytes).digest('hex')
      expect(done.body['data']).toMatchObject({ fileName: 'faq.txt', sha256, state: 'ready' })
      expect(await upload('document', faq)).toEqual(done)
      expect(await stored()).toBe(1)
      expect((await project.approval(id)).body).toMatchObject({ receipt: { status: 'completed' } })
    },
  )

  test('that was rejected is never stored', async () => {
    project.simulator.tenant.decide(textAt(await upload('document', faq), 'approval_id'), 'rejected')
    expect(errorOf(await upload('document', faq))).toBe('APPROVAL_REJECTED')
    expect(await stored()).toBe(0)
  })

  test('approved under two keys is stored once', async () => {
    const prepared = textAt(await prepare('document', faq), 'data', 'uploadId')
    for (const key of ['one', 'two']) {
      const held = await finalize('document', prepared, faq.bytes, { key })
      project.simulator.tenant.decide(textAt(held, 'approval_id'), 'approved')
    }
    const answers = [
      await finalize('document', prepared, faq.bytes, { key: 'one' }),
      await finalize('document', prepared, faq.bytes, { key: 'two' }),
    ]
    expect(answers.map(outcome)).toEqual([
      [200, 'completed'],
      [422, 'failed'],
    ])
    expect(await stored()).toBe(1)
  })
})

describe('a spreadsheet', () => {
  test.for([
    ['CSV', prices],
    ['Excel since 2007', file('a.xlsx', xlsx, zip)],
    [
      'older Excel',
      file('a.xls', 'application/vnd.ms-excel', [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0]),
    ],
  ] as const)('%s is not held, and imported by a task after its call', async ([, sheet]) => {
    const accepted = await upload('spreadsheet', sheet)
    expect(outcome(accepted)).toEqual([202, 'accepted'])
    const states = async () => at((await project.run('knowledge.list')).json, 'data', 'files', 0, 'state')
    expect(await states()).toBe('importing')
    project.simulator.tenant.stepTask(textAt(accepted, 'task_id'), 'finish')
    expect(await states()).toBe('ready')
  })

  test('with the same two keys is stored once, also when they race', async () => {
    const { clock, state } = project.simulator.tenant
    const id = textAt(await prepare('spreadsheet', prices), 'data', 'uploadId')
    state.rules.runMs = 50
    const racing = Array.from({ length: 6 }, () => finalize('spreadsheet', id, prices.bytes))
    expect((await Promise.race(racing)).status).toBe(409)
    await clock.advance(50)
    const again = await finalize('spreadsheet', id, prices.bytes)
    expect(outcome(again)).toEqual([202, 'accepted'])
    for (const answer of await Promise.all(racing))
      expect([again.text, 'REQUEST_IN_PROGRESS']).toContain(
        answer.status === 409 ? outcome(answer)[1] : answer.text,
      )
    expect(await stored()).toBe(1)
  })
})

describe('an upload in one step', () => {
  const send = (kind: Kind, { fileName, contentType, bytes }: File, more: JsonObject = {}) =>
    project.ask('POST', `/uploads/${kind}s`, {
      source: 'api',
      prepareKey: 'p',
      finalizeKey: 'f',
      fileName,
      contentType,
      bytes: Buffer.from(bytes).toString('base64'),
      ...more,
    })

  test('is served under one interpretation only', async () => {
    expect((await send('spreadsheet', prices)).status).toBe(404)
  })

  test('is stored once by its two keys, and a document after its approval', async () => {
    project.simulator.tenant.setModifications({ interpretations: { 'GAP-UPLOAD-ROUTES': 'one-step' } })
    expect(outcome(await send('spreadsheet', prices))).toEqual([202, 'accepted'])
    expect(await send('spreadsheet', prices)).toEqual(await send('spreadsheet', prices))
    const keys = { prepareKey: 'p2', finalizeKey: 'f2' }
    const held = await send('document', faq, keys)
    expect(outcome(held)).toEqual([202, 'pending_approval'])
    project.simulator.tenant.decide(textAt(held, 'approval_id'), 'approved')
    expect(outcome(await send('document', faq, keys))).toEqual([200, 'completed'])
    expect(await stored()).toBe(2)
  })

  test('is refused without its source, a key, its bytes or the scope', async () => {
    project.simulator.tenant.setModifications({ interpretations: { 'GAP-UPLOAD-ROUTES': 'one-step' } })
    const without: readonly JsonObject[] = [
      { source: 'web' },
      { prepareKey: '' },
      { finalizeKey: 'k'.repeat(256) },
      { bytes: '' },
      { fileName: 7 },
    ]
    for (const more of without) expect((await send('document', faq, more)).status).toBe(400)
    expect(await stored()).toBe(0)
  })
})

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

describe('is refused:', () => {
  const big = file('big.csv', 'text/csv', 'a'.repeat(512 * 1024 + 1))
  const cases: readonly [name: string, kind: Kind, File, code: string][] = [
    [
      'a spreadsheet that is a PDF',
      'spreadsheet',
      file('a.pdf', 'application/pdf', '%PDF-1.7'),
      'INVALID_INPUT',
    ],
    ['an Excel file that is none', 'spreadsheet', file('a.xlsx', xlsx, 'name,price'), 'INVALID_INPUT'],
    ['a CSV file with NUL in it', 'spreadsheet', file('a.csv', 'text/csv', 'a\0b'), 'INVALID_INPUT'],
    ['a document that is an image', 'document', file('a.png', 'image/png', 'x'), 'INVALID_INPUT'],
    ['a content type like a member of objects', 'document', file('a', 'constructor', 'x'), 'INVALID_INPUT'],
    ['an empty file', 'spreadsheet', file('a.csv', 'text/csv', ''), 'INVALID_INPUT'],
    ['a file one byte too large', 'spreadsheet', big, 'INVALID_INPUT'],
    ['a path for a name', 'document', { ...faq, fileName: '../faq.txt' }, 'INVALID_INPUT'],
  ]
  test.for(cases)('%s', async ([, kind, sent, code]) => {
    expect(outcome(await upload(kind, sent))).toEqual([400, code])
    expect(await stored()).toBe(0)
  })

  test('bytes of another number than announced, or that are no base64', async () => {
    const id = textAt(await prepare('spreadsheet', prices), 'data', 'uploadId')
    expect(outcome(await finalize('spreadsheet', id, prices.bytes.subarray(1)))).toEqual([
      400,
      'INVALID_INPUT',
    ])
    const body: JsonObject = { uploadId: id, bytes: '=not base64=' }
    expect(outcome(await project.ask('POST', '/uploads/spreadsheets/finalize', body))).toEqual([
      400,
      'INVALID_INPUT',
    ])
  })

  test('an upload of another kind, another account, or of nobody', async () => {
    const id = textAt(await prepare('spreadsheet', prices), 'data', 'uploadId')
    const answers = [
      await finalize('document', id, prices.bytes),
      await finalize('spreadsheet', id, prices.bytes, { as: 'other' }),
      await finalize('spreadsheet', `upl_${'0'.repeat(16)}`, prices.bytes),
    ]
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404])
  })

  test('a key without knowledge.write, a missing key, and a key that stands for something else', async () => {
    for (const kind of ['document', 'spreadsheet'] as const) {
      expect(outcome(await prepare(kind, faq, { as: 'noBilling' }))).toEqual([403, 'FORBIDDEN'])
      expect(outcome(await finalize(kind, 'upl_0', faq.bytes, { as: 'noBilling' }))).toEqual([
        403,
        'FORBIDDEN',
      ])
    }
    expect(outcome(await prepare('document', faq, { key: null }))).toEqual([400, 'IDEMPOTENCY_KEY_REQUIRED'])
    await prepare('document', faq, { key: 'k' })
    const other = { ...faq, fileName: 'other.txt' }
    expect(outcome(await prepare('document', other, { key: 'k' }))).toEqual([409, 'IDEMPOTENCY_CONFLICT'])
  })
})
