/** What the process says when it ends. Stopped by Ctrl-C it says 130, by SIGTERM 143, as shells have it. */
export const clientExitCodes = {
  done: 0,
  /** The service refused, or what it was asked to do failed. */
  failed: 1,
  /** The command line, or a file that it rests on, is wrong; nothing was sent. */
  usage: 2,
  /** Held for the owner's approval, or a task that is still going on. */
  unfinished: 3,
  /** No whole answer: the service cannot be reached, or broke off. */
  unreachable: 4,
} as const

export const clientExitCodeHelp = `
Exit codes:
  0    done
  1    the service refused, or the work failed
  2    wrong usage; nothing was sent
  3    not finished: held for approval, or still running
  4    no whole answer: the service cannot be reached, or broke off
  130  stopped by Ctrl-C (143: by SIGTERM)`
