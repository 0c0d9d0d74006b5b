/** What is worked out once and kept would be kept from one mutant to the next. */
let kept = new WeakMap<object, Map<object, unknown>>()

export function forget(): void {
  kept = new WeakMap()
}

export function memo<A extends object, B>(work: (about: A) => B): (about: A) => B {
  return (about) => {
    const results = kept.get(about) ?? new Map<object, unknown>()
    kept.set(about, results)
    if (!results.has(work)) results.set(work, work(about))
    return results.get(work) as B
  }
}
