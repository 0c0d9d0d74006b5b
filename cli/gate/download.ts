/** Loads a file from a web server, of which nothing is trusted. */

/** What could not be loaded decides nothing. */
export class DownloadFailed extends Error {
  override name = 'DownloadFailed'
}

/** `most`: bytes. Redirects are not followed. Throws DownloadFailed. */
export async function download(url: URL, most: number, signal: AbortSignal): Promise<Buffer> {
  try {
    const response = await fetch(url, { redirect: 'manual', signal })
    if (response.status !== 200) throw new Error(`status ${response.status}`)
    const parts: Uint8Array[] = []
    let size = 0
    for await (const part of response.body ?? []) {
      size += part.length
      if (size > most) throw new Error(`larger than ${most} bytes`)
      parts.push(part)
    }
    return Buffer.concat(parts)
  } catch (error) {
    throw new DownloadFailed(
      `${url.href} cannot be loaded (${causeOf(error)}), so nothing was decided; check the server.`,
    )
  }
}

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? error.cause.message : error.message
}
