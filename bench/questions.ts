/** What a child of a bench is asked while it runs: everything that only the process itself can tell. */

type Answers = Readonly<Record<string, () => unknown>>

const ofEvery = {
  /** Bytes in memory that are its own. */
  resident: () => process.memoryUsage.rss(),
  /** Microseconds of processor since it began. */
  processor: () => {
    const { user, system } = process.cpuUsage()
    return user + system
  },
} satisfies Answers

/** Ends this process when the one that started it is no more, however that ended. */
export function endWithParent(): void {
  process.on('disconnect', () => process.exit())
}

/** Answers each question by its name, in the order asked; with `done` where there is nothing to tell. */
export function answerQuestions(own: Answers = {}): void {
  const answers: Answers = { ...ofEvery, ...own }
  endWithParent()
  process.on('message', (question: string) => {
    process.send?.(answers[question]?.() ?? 'done')
  })
}
