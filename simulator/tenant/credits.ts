/** Credits are counted in whole thousandths, so that no sum ever drifts. Shown to clients as a number of credits. */
export type Credits = number

/** From a number of credits, as a client or a reply rule writes it. */
export function toCredits(amount: number): Credits {
  const thousandths = Math.round(amount * 1000)
  if (!Number.isSafeInteger(thousandths))
    throw new RangeError(`${amount} credits cannot be counted in thousandths; give a smaller number.`)
  return thousandths
}

/** As a client sees it: the nearest number to the exact decimal. */
export function shownCredits(credits: Credits): number {
  return credits / 1000
}

export interface Account {
  /** Such as `business`. */
  plan: string
  readonly id: string
  /** Role in the fixtures, such as `main`. */
  readonly name: string
  balance: Credits
  /** Held for turns that run now; they may not be spent twice. */
  reserved: Credits
}

export function available(account: Account): Credits {
  return account.balance - account.reserved
}
