/**
 * Uploads. Their routes are not shown: a client that has others than the simulator is not judged, and what comes back
 * is the same each time, so that keys which follow from it are, too.
 */
import type { Judgement } from '../../scenario/scenario.ts'
import { all, given, inconclusive, pass, softened } from '../../scenario/expect.ts'
import type { Exchange, Json } from '../../wire/exchange.ts'
import {
  idempotencyKeysOf,
  differentKeys,
  sameKeyThroughout,
  whereSuccessful,
} from '../assertions/request.ts'
import { notFinishedEarly, readBeforeFinished } from '../assertions/follow-up.ts'
import { sentTo } from '../assertions/step-result.ts'
import { reportsOf, reachesCaller } from '../assertions/reported-reply.ts'
import {
  acceptedReceipt,
  approvalId,
  completedReceipt,
  cutAt,
  pendingReceipt,
  routes,
  script,
  taskThrough,
} from '../execution/step.ts'
import type { NetworkFault } from '../../../spec/types/control.ts'
import { clientScenario, type ClientStep, type ClientScenario } from '../client-scenario.ts'
import type { UploadTask, ServiceSetup } from '../execution/task.ts'

type Kind = UploadTask['kind']

const keys = { prepareKey: 'prepare-the-harbour-map', finalizeKey: 'finalize-the-harbour-map' } as const
const base64 = (text: string): string => Buffer.from(text).toString('base64')

const uploading: Readonly<Record<Kind, UploadTask>> = {
  document: {
    do: 'upload',
    kind: 'document',
    fileName: 'harbour.txt',
    contentType: 'text/plain',
    content: base64('The harbour is open from six to ten.\n'),
    ...keys,
  },
  spreadsheet: {
    do: 'upload',
    kind: 'spreadsheet',
    fileName: 'berths.csv',
    contentType: 'text/csv',
    content: base64('berth,ship\n1,Lantern\n'),
    ...keys,
  },
}

const uploadId = 'upl_5d0b7e21c4'
const prepared = completedReceipt({ uploadId, upload_id: uploadId, expiresAt: '2099-01-01T00:00:00.000Z' })

const step = (kind: Kind, name: 'prepare' | 'finalize') => ({
  method: 'POST',
  path: `/api/v1/uploads/${kind}s/${name}`,
})

function serviceFor(
  kind: Kind,
  receipts: readonly Json[],
  reads: readonly NetworkFault[],
  troubles: readonly NetworkFault[] = [],
): ServiceSetup {
  const steps = [...script(step(kind, 'prepare'), [prepared]), ...script(step(kind, 'finalize'), receipts)]
  return { networkFaults: [...troubles, ...steps, ...reads] }
}

const pending = script(routes.approval, [{ id: approvalId, state: 'pending', status: 'pending_approval' }])
const approved = script(routes.approval, [
  { id: approvalId, state: 'pending', status: 'pending_approval' },
  { id: approvalId, state: 'approved', status: 'completed', receipt: completedReceipt(null) },
])
const stored = completedReceipt({ uploadId, stored: true })

const sentIn = (exchanges: readonly Exchange[], name: 'prepare' | 'finalize'): readonly Exchange[] =>
  sentTo(exchanges, 'upload').filter(({ request }) => request.path.split('?')[0]?.endsWith(`/${name}`))

/** Each step under one key, as often as it was sent. */
function stableKeys(exchanges: readonly Exchange[]): Judgement {
  const [prepares, finalizes] = [sentIn(exchanges, 'prepare'), sentIn(exchanges, 'finalize')]
  return all(
    sameKeyThroughout(prepares, [keys.prepareKey]),
    ...(finalizes.length > 0
      ? [sameKeyThroughout(finalizes, [keys.finalizeKey]), twoKeys(prepares, finalizes)]
      : []),
  )
}

/** The contract speaks of two, and does not say that they differ; a step may name the key of the other beside its own. */
function twoKeys(prepares: readonly Exchange[], finalizes: readonly Exchange[]): Judgement {
  const own = (step: Exchange): boolean =>
    idempotencyKeysOf(step, [keys.finalizeKey]).includes(keys.finalizeKey)
  return finalizes.every(own) ? pass : softened(differentKeys(finalizes, prepares, [keys.prepareKey]))
}

function whereKnown(twin: readonly Exchange[], judge: () => Judgement): Judgement {
  const isKnown = sentIn(twin, 'prepare').length > 0
  const because = 'the routes of uploads are not shown, and the client has others than the simulator'
  return given(isKnown ? pass : inconclusive(because), judge)
}

const receiptOf = { document: [pendingReceipt], spreadsheet: [acceptedReceipt] } as const
const readsOf = { document: pending, spreadsheet: taskThrough('completed') } as const

/** Whether a client sends again by itself is not shown: what its caller uploads once more is the same upload, too. */
function triedAgain(kind: Kind, when: 'before' | 'after'): ClientScenario {
  const lost = when === 'before' ? 'connections break on the way' : 'answers are lost'
  const meeting = (...troubles: readonly NetworkFault[]): ClientStep => ({
    task: uploading[kind],
    service: serviceFor(kind, receiptOf[kind], readsOf[kind], troubles),
  })
  return clientScenario({
    title: `a ${kind} whose ${lost} keeps its two keys when it is tried again`,
    steps: {
      twin: meeting(),
      prepare: meeting(cutAt(step(kind, 'prepare'), when)),
      finalize: meeting(cutAt(step(kind, 'finalize'), when)),
      again: meeting(),
    },
    judge: {
      'LIB-UPLOAD-KEYS': ({ twin, prepare, finalize, again }) =>
        whereKnown(twin, () =>
          whereSuccessful(sentIn(twin, 'finalize'), () => stableKeys([...prepare, ...finalize, ...again])),
        ),
    },
  })
}

export const documentBefore = triedAgain('document', 'before')
export const documentAfter = triedAgain('document', 'after')
export const spreadsheetBefore = triedAgain('spreadsheet', 'before')
export const spreadsheetAfter = triedAgain('spreadsheet', 'after')

const otherKeys = {
  prepareKey: 'prepare-the-other-berths',
  finalizeKey: 'finalize-the-other-berths',
} as const
const upload = (more: Partial<UploadTask> = {}): ClientStep => ({
  task: { ...uploading.spreadsheet, ...more },
  service: serviceFor('spreadsheet', receiptOf.spreadsheet, readsOf.spreadsheet),
})

export const sameName = clientScenario({
  title: 'two files of one name are two uploads: the keys of one are not those of the other',
  steps: { first: upload(), second: upload({ ...otherKeys, content: base64('berth,ship\n2,Anchor\n') }) },
  judge: {
    'LIB-UPLOAD-KEYS': ({ first, second }) =>
      whereKnown(first, () =>
        all(
          ...(['prepare', 'finalize'] as const).map((name) =>
            differentKeys(sentIn(second, name), sentIn(first, name), [
              ...Object.values(keys),
              ...Object.values(otherKeys),
            ]),
          ),
        ),
      ),
  },
})

export const documentHeld = clientScenario({
  title:
    'a document that waits for the owner is not finished before its approval was read, and keeps its keys',
  steps: {
    upload: { task: uploading.document, service: serviceFor('document', [pendingReceipt, stored], approved) },
  },
  judge: {
    'LIB-APPROVAL': ({ upload }, context) =>
      whereKnown(upload, () =>
        whereSuccessful(sentIn(upload, 'finalize'), () => readBeforeFinished(upload, context, 'upload')),
      ),
    'LIB-UPLOAD-KEYS': ({ upload }) => whereKnown(upload, () => stableKeys(upload)),
  },
})

export const preparationHeld = clientScenario({
  title: 'a document whose first step waits for the owner is not finished before its approval was read',
  steps: {
    upload: {
      task: uploading.document,
      service: {
        networkFaults: [
          ...script(step('document', 'prepare'), [pendingReceipt]),
          ...script(step('document', 'finalize'), [stored]),
          ...pending,
        ],
      },
    },
  },
  judge: {
    'LIB-APPROVAL': ({ upload }, context) =>
      whereKnown(upload, () =>
        whereSuccessful(sentIn(upload, 'prepare'), () => readBeforeFinished(upload, context, 'upload')),
      ),
  },
})

const resolution = 'Read the approval of the renewal, and finalize again with the same keys.'
const incomplete: Json = {
  status: 'failed',
  error: { code: 'UPLOAD_RENEWAL_INCOMPLETE', resolution },
  approval_id: approvalId,
  approvalId,
  approval: { id: approvalId },
}

export const renewal = clientScenario({
  title: 'an upload whose renewal is incomplete shows its caller the pending action, and keeps its keys',
  steps: {
    upload: { task: uploading.document, service: serviceFor('document', [incomplete, stored], approved) },
  },
  judge: {
    'LIB-FAILED': ({ upload }, context) =>
      whereKnown(upload, () => {
        const [first] = sentIn(upload, 'finalize')
        if (sentTo(upload, 'approval').length > 0)
          return { is: 'pass', note: 'it read the pending action by itself' }
        return reachesCaller(context, 'upload', ['UPLOAD_RENEWAL_INCOMPLETE', resolution], first)
      }),
    'LIB-UPLOAD-KEYS': ({ upload }) => whereKnown(upload, () => stableKeys(upload)),
  },
})

export const spreadsheetAccepted = clientScenario({
  title: 'a spreadsheet is not reported as imported before its task is final',
  steps: {
    upload: {
      task: uploading.spreadsheet,
      service: serviceFor('spreadsheet', [acceptedReceipt], taskThrough('queued', 'running', 'completed')),
    },
  },
  judge: {
    'LIB-UPLOAD-NOT-DONE': ({ upload }, context) =>
      whereKnown(upload, () =>
        whereSuccessful(sentIn(upload, 'finalize'), () => {
          const reported = reportsOf(context, 'upload')
          const isModest = reported.length > 0 && !reported.some(({ saw }) => saw === 'finished')
          return isModest ? pass : notFinishedEarly(upload, context, 'upload')
        }),
      ),
  },
})
