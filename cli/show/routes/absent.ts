/** What was asked for is not there; the message says what is. */
export class Absent extends Error {
  override name = 'Absent'
}
