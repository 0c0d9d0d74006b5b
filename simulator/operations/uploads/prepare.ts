/** The first step of an upload: a file is announced, and gets the id under which its bytes may come. */
import { type FileFacts } from '../account-data.ts'
import { refuse, type Refusal } from '../refusal.ts'
import type { Receipt } from '../receipt.ts'
import { addUpload, textOf } from './upload.ts'
import { answerOnce, keyedStep, type AskedUpload, type UploadStep } from './step.ts'

/** The schema has seen to the types, unless a fault lets anything through. */
function announced({ input }: AskedUpload): FileFacts {
  const text = (name: string): string => textOf(input, name)
  return { fileName: text('fileName'), contentType: text('contentType'), size: Number(input['size']) }
}

function answer(asked: AskedUpload): Receipt | Refusal | Promise<Receipt | Refusal> {
  const { visit, kind, input } = asked
  const { state, apiKey } = visit
  const { rules } = state
  const file = announced(asked)
  const problem = rules.fileProblem(kind, file, rules.uploadLimitBytes)
  if (problem !== null) return refuse('INVALID_INPUT', problem)
  return answerOnce(state, keyedStep(asked, input), () => {
    const { id, preparedAt } = addUpload(state, state.operations.dataOf(apiKey.account), kind, file)
    const expiresAt = new Date(preparedAt + rules.preparedLifeMs).toISOString()
    return { status: 'completed', data: { uploadId: id, expiresAt } }
  })
}

export const prepareStep: UploadStep = { name: 'prepare', schema: null, answer }
