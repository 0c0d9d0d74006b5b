/** `npm run lab -- image`: builds the image with podman, and runs it on this machine as docs/containers.md says. */
import { runAlone } from './alone.ts'
import { build, inspect } from './build.ts'
import { openPodman } from './podman.ts'

using podman = openPodman()
inspect(podman, build(podman))
await runAlone(podman)
