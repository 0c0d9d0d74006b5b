/** What is wrong with an address, as the predicate of a sentence that repeats no password; null where nothing is. */

const anyAddress = 'https://host/path'

/** For a base address: requests append a path to it, and reports print it. `example`: of what to give instead. */
export function baseUrlProblem(text: string, example = anyAddress): string | null {
  const url = URL.parse(text)
  if (url && namesUser(url)) return 'names a user; leave user and password out'
  const problem = webUrlProblem(text, example)
  if (problem !== null || !/[?#]/.test(text)) return problem
  return `has a query or a fragment; give the address without it, such as ${example}`
}

export function webUrlProblem(text: string, example = anyAddress): string | null {
  if (/^https?:$/.test(URL.parse(text)?.protocol ?? '')) return null
  // What is before an @ may be a password.
  const given = text.includes('@') ? 'no URL' : JSON.stringify(text)
  return `is ${given}; give an address such as ${example}`
}

export const namesUser = ({ username, password }: URL): boolean => username !== '' || password !== ''
