import { BundleError } from '../bundle/errors.ts'

/** Something the user wrote cannot be done; the message says what, and what to write instead. */
export class UsageError extends BundleError {
  override name = 'UsageError'
}
