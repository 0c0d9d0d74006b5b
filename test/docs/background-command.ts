/** Starts a command that runs until it is stopped. */
import { main } from '../../cli/main.ts'
import { testIo, type TestIo } from '../../cli/process.testkit.ts'

export interface BackgroundCommand {
  /** What it printed first. */
  readonly first: string
  readonly stop: () => Promise<void>
}

/** Resolves with the first output on `stream`. Rejects if the command ends before. */
export async function startCommand(
  words: readonly string[],
  stream: 'out' | 'err',
): Promise<BackgroundCommand> {
  const io: TestIo = testIo()
  const first = new Promise<string>(
    (resolve) => (io[stream] = (text) => ((io.printed[stream] += text), resolve(text))),
  )
  const ended = main(words, io)
  const early = ended.then((code) => Promise.reject(new Error(`exit code ${code}: ${io.printed.err}`)))
  early.catch(() => undefined)
  const stop = async (): Promise<void> => (io.stop(), void (await ended))
  return { first: await Promise.race([first, early]), stop }
}
