/** The store cannot be opened as it is asked for; the message says what to do. */
export class StoreRefused extends Error {
  override readonly name = 'StoreRefused'
}
