/**
 * `npm run lab -- image`: builds the image with podman, runs it as docs/containers.md says, and runs the compose files of
 * deploy/ as containers; all of it on the addresses of this machine. `--validate`: only holds deploy/ against schemas.
 */
import { optionsOf } from '../../test/options.ts'
import { runAlone } from './alone.ts'
import { provide } from './bases.ts'
import { build, inspect } from './build.ts'
import { openPodman } from './podman.ts'
import { runReplicas } from './replicas.ts'
import { imagesOf } from './stack.ts'
import { validate } from './validate.ts'

const { values } = optionsOf({ options: { validate: { type: 'boolean', default: false } } })

await validate()
if (!values.validate) {
  using podman = openPodman()
  inspect(podman, build(podman))
  await runAlone(podman)
  for (const image of imagesOf('compose.postgres.yaml')) console.log(provide(podman, image))
  await runReplicas(podman)
}
