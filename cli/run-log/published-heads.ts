/** Heads of logs that were published earlier, from a file or a web server. */
import { readFileSync } from 'node:fs'
import { readHeads, type RunLogHead } from '../../reports/run-log/index.ts'
import { download } from '../gate/download.ts'
import { UsageError } from '../usage-error.ts'
import { codeOf } from '../values.ts'

const mostHeadBytes = 2 ** 20
const longestDownload = 60_000

/** Throws UsageError and DownloadFailed. */
export async function headsAt(place: string): Promise<readonly RunLogHead[]> {
  const heads = readHeads(
    /^https?:\/\//i.test(place)
      ? await download(addressOf(place), mostHeadBytes, AbortSignal.timeout(longestDownload))
      : fileAt(place),
  )
  if (heads === null)
    throw new UsageError(`--head ${place}: it is no head of a log; \`touchstone log head\` prints one.`)
  return heads
}

function addressOf(place: string): URL {
  const url = URL.parse(place)
  if (url === null) throw new UsageError(`--head ${place}: it is no URL; name the one of a published head.`)
  return url
}

function fileAt(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    throw new UsageError(
      `--head ${path}: cannot be read (${codeOf(error)}); name the file of a published head.`,
    )
  }
}
