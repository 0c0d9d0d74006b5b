export interface Printed {
  add: (bytes: Uint8Array) => void
  text: () => string
}

/** Stores the first bytes of an output, cut between characters. */
export function keepFirst(bytes: number): Printed {
  const pieces: Uint8Array[] = []
  let kept = 0
  return {
    add(piece) {
      const part = piece.subarray(0, Math.max(0, bytes - kept))
      if (part.length > 0) pieces.push(Uint8Array.from(part))
      kept += part.length
    },
    text: () => new TextDecoder().decode(Buffer.concat(pieces), { stream: kept >= bytes }),
  }
}
