/** The result of one check of the doctor. */

export interface DoctorResult {
  /**
   * `fine`: it is as the file says. `wrong`: it is not, so one of them has to be fixed. `missing`: the file counts
   * on it, and it is not there. `open`: nothing was seen, for or against.
   */
  is: 'fine' | 'wrong' | 'missing' | 'open'
  /** What was looked at, as the file calls it: `principals.main`. */
  about: string
  /** What was seen and, unless it is fine, what to do. */
  words: string
  /** The file declares nothing that could be looked at. */
  undeclared?: true
}

const sign =
  (is: DoctorResult['is']) =>
  (about: string, words: string): DoctorResult => ({ is, about, words })

export const fine = sign('fine')
export const wrong = sign('wrong')
export const missing = sign('missing')
export const unknownSign = sign('open')
export const notConfigured = (about: string, words: string): DoctorResult => ({
  ...unknownSign(about, words),
  undeclared: true,
})
