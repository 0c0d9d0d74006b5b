/** The suite for receivers: every scenario by id, `<file>/<scenario>`. */
import * as duplicates from './duplicates.ts'
import * as forged from './forged.ts'
import * as genuine from './genuine.ts'
import * as spelled from './spelled.ts'
import * as twins from './twins.ts'
import type { ReceiverScenario } from './receiver-scenario.ts'

const files = { genuine, forged, spelled, duplicates, twins } as const satisfies Readonly<
  Record<string, Readonly<Record<string, ReceiverScenario>>>
>

/** Ids begin with `receiver-`, so that they differ from those of other suites. */
export const receiverScenarios: Readonly<Record<string, ReceiverScenario>> = Object.fromEntries(
  Object.entries(files)
    .flatMap(([file, scenarios]) =>
      Object.entries(scenarios).map(([name, scenario]) => [`receiver-${file}/${name}`, scenario] as const),
    )
    .toSorted(([, one], [, other]) => Number(one.isLast ?? false) - Number(other.isLast ?? false)),
)
