/**
 * A gap is something the contract says is not shown, or leaves open. No suite may judge it; the simulator
 * has to choose, and can be switched to every other interpretation that a conforming server might have.
 */
export interface Gap {
  /**
   * `not-shown`: the contract says so itself. `ambiguous`: it can be read in more than one way. `silent`: it
   * does not touch the question at all.
   */
  kind: 'not-shown' | 'ambiguous' | 'silent'
  question: string
  /** Section and row of the contract. */
  source: string
  /** What a suite must not judge because of it. */
  unjudged: string
  /** Interpretations of a conforming server by id; the first one is what the simulator does by default. */
  interpretations: Readonly<Record<string, string>>
}

type Row<R> = Omit<Gap, 'kind' | 'interpretations'> & { interpretations: R }

export function notShownGap<const R extends Record<string, string>>(row: Row<R>) {
  return { kind: 'not-shown', ...row } as const
}

export function ambiguous<const R extends Record<string, string>>(row: Row<R>) {
  return { kind: 'ambiguous', ...row } as const
}

export function silentGap<const R extends Record<string, string>>(row: Row<R>) {
  return { kind: 'silent', ...row } as const
}
