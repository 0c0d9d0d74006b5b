/** A client operated by a person, who reads the task, does it and presses Enter. */
import type { ClientTask, Assignment, ClientRunner } from '../../suites/clients/execution/task.ts'
import type { StepResult } from '../../reports/bundle/client-report.ts'

export type Ask = (text: string, stop: AbortSignal) => Promise<string>

export function interactiveRunner(ask: Ask): ClientRunner {
  return {
    concurrency: 1,
    runStep: (assignment, signal) => byHand(assignment, signal, ask),
    close: () => Promise.resolve(),
  }
}

async function byHand(
  { name, service, task }: Assignment,
  signal: AbortSignal,
  ask: Ask,
): Promise<StepResult> {
  const plain = { exitCode: null, reported: [], stdout: '', stderr: '' }
  const text = [
    '',
    name,
    `  ${labelled('base address')}  ${service.baseUrl}`,
    `  ${labelled('API key')}  ${service.apiKey}`,
    `  ${labelled('agent')}  ${service.agent}`,
    ...Object.entries(task).map(([member, value]) => `  ${labelled(inWords(member))}  ${spelled(value)}`),
    `${instructions[task.do]} Press Enter when that is done. `,
  ].join('\n')
  try {
    await ask(text, signal)
    return { ended: 'done', ...plain }
  } catch (error) {
    if (signal.aborted) return { ended: 'timeout', ...plain }
    throw error
  }
}

const instructions: Readonly<Record<ClientTask['do'], string>> = {
  chat: 'Send this message with the client.',
  stream: 'Send this message with the client, as a stream.',
  billing: 'Read this with the client.',
  discover: 'List the operations with the client.',
  execute: 'Execute this operation with this input, and wait until it is final.',
  upload: 'Upload this file; its content is in base64.',
  command: 'Run the command line with these arguments.',
}

/** In a column as wide as the longest. */
const labelled = (words: string): string => words.padEnd(15)

const inWords = (member: string): string =>
  member.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

function spelled(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
