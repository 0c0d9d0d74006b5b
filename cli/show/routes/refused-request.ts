/** A request that is not answered as asked: the status, and what is the case and what to do. */
export class RefusedRequest extends Error {
  override name = 'RefusedRequest'
  readonly status: number
  constructor(status: 400 | 404 | 409 | 413 | 415 | 422, message: string) {
    super(message)
    this.status = status
  }
}
