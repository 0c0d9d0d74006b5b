/** How much of an answer is taken: what never ends, or unpacks without end, is not to fill the memory. */

/** Far beyond any reply. Of a stream, what may come without an event in it. */
export const maxBodyBytes = 64 * 1024 * 1024

/** Throws where so many bytes are more than an answer has. */
export function checkSize(bytes: number): void {
  if (bytes > maxBodyBytes) throw new RangeError(`it is larger than ${maxBodyBytes / 1024 / 1024} MiB`)
}

/** A whole body as text, as `Response.text()` has it. */
export async function boundedText({ body }: Response): Promise<string> {
  const reader = body?.getReader()
  const decoder = new TextDecoder()
  const parts: string[] = []
  let bytes = 0
  try {
    for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
      bytes += read.value.length
      checkSize(bytes)
      parts.push(decoder.decode(read.value, { stream: true }))
    }
  } finally {
    void reader?.cancel().catch(() => undefined)
  }
  return parts.join('') + decoder.decode()
}
