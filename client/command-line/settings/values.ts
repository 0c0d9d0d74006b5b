/** Values of options: each parser gives a value or throws a line that says what would do. */
import { InvalidArgumentError } from 'commander'

export function parseFilled(text: string): string {
  if (text !== '') return text
  throw new InvalidArgumentError('It may not be empty.')
}

export function parseWholeNumber(least: number) {
  return (text: string): number => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
    if (value >= least) return value
    throw new InvalidArgumentError(`Give a whole number of at least ${least}.`)
  }
}
