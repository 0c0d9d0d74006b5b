/** One check of a target, in a process of its own: prints the exit code, and the most memory that it took. */
import { main } from '../../cli/main.ts'
import { processIo } from '../../cli/process-io.ts'

const [url = '', minutes = '1', out = ''] = process.argv.slice(2)
const asked = ['--base-url', url, '--api-key', 'env:KEY', '--agent', 'a-1', '--max-minutes', minutes]
const began = performance.now()
const code = await main(['check', ...asked, '--quiet', '--out', out], { ...processIo(), out: () => {} })
const mostMiB = process.resourceUsage().maxRSS / 1024
console.log(JSON.stringify({ code, mostMiB, seconds: (performance.now() - began) / 1000 }))
process.exit(0)
