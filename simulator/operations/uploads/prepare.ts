/** The first step of an upload: a file is announced, and gets the id under which its bytes may come. */
import type { FileFacts } from '../../tenant/operations/account-data.ts'
import { refuseOperation, type OperationRefusal } from '../../edge/operation-refusal.ts'
import type { RunReceipt } from '../../tenant/operations/operation.ts'
import { addUpload, inputText } from './upload.ts'
import { answerOnce, keyedStep, type AskedUpload, type UploadStepDefinition } from './step.ts'

/** The schema has seen to the types, unless a fault lets anything through. */
function announced({ input }: AskedUpload): FileFacts {
  const text = (name: string): string => inputText(input, name)
  return { fileName: text('fileName'), contentType: text('contentType'), size: Number(input['size']) }
}

function answer(asked: AskedUpload): RunReceipt | OperationRefusal | Promise<RunReceipt | OperationRefusal> {
  const { visit, kind, input } = asked
  const { state, apiKey } = visit
  const { rules } = state
  const file = announced(asked)
  const problem = rules.fileProblem(kind, file, rules.uploadLimitBytes)
  if (problem !== null) return refuseOperation('INVALID_INPUT', problem)
  return answerOnce(state, keyedStep(asked, input), () => {
    const { id, preparedAt } = addUpload(state, state.operations.dataOf(apiKey.account), kind, file)
    const expiresAt = new Date(preparedAt + rules.preparedLifeMs).toISOString()
    return { status: 'completed', data: { uploadId: id, expiresAt } }
  })
}

export const prepareStep: UploadStepDefinition = { name: 'prepare', schema: null, answer }
