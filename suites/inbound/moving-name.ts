/** Names whose address changes during a run, as scenarios see them. */

/** A name that leads to a public address until it is moved. */
export interface MovingName {
  readonly host: string
  /** From now on every look-up is answered with this address. */
  move(to: string): void
  /** From now on the first look-up is answered with the public address, the next one with this one, and so on. */
  alternate(to: string): void
  /** Whether a look-up was ever answered with this address. */
  answered(address: string): boolean
}

export interface MovingNames {
  /** The private address of this machine to move them to; null: none that the target could reach. */
  readonly later: string | null
  /** Whether they may change between two look-ups for one delivery, which may then go to the public address. */
  readonly rebinding: boolean
  /** For each of them; null: nothing is received over HTTPS. */
  readonly certificate: { cert: string; key: string } | null
  name(label: string): MovingName
}
