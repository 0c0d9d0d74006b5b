/** A key is for servers: where a customer's device runs the code, the customer can read it. */
import { InvalidCall } from '../errors.ts'

interface Surroundings {
  readonly window?: unknown
  readonly document?: unknown
  readonly navigator?: { readonly product?: unknown; readonly userAgent?: unknown }
}

/** Every browser, in a page or in a worker, says that it is Mozilla; no server platform does. */
const places: Readonly<Record<string, (here: Surroundings) => boolean>> = {
  'a browser page': (here) => here.window !== undefined && here.document !== undefined,
  'a mobile app': ({ navigator }) => navigator?.product === 'ReactNative',
  'a worker of a browser': ({ window, navigator }) =>
    window === undefined &&
    typeof navigator?.userAgent === 'string' &&
    navigator.userAgent.startsWith('Mozilla/'),
}

/** Throws `InvalidCall` in a browser page, a worker of one, or a mobile app. */
export function checkServerSide(here: Surroundings = globalThis): void {
  const place = Object.keys(places).find((name) => places[name]?.(here))
  if (place === undefined) return
  throw new InvalidCall(
    `This is ${place}, where anybody can read the API key.`,
    'Keep the key on a server of yours, and have that call the service.',
  )
}
