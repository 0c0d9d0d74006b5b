/** Loaded before a command: at its end, prints the peak of its memory, in MiB, to file descriptor 3. */
import { writeSync } from 'node:fs'

process.once('exit', () => void writeSync(3, (process.resourceUsage().maxRSS / 1024).toFixed(0)))
