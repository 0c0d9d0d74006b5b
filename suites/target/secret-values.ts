/** What of a target must not be read in anything that is written or printed. */
import { credentialsIn } from '../wire/credentials.ts'
import type { Secret } from '../wire/redaction.ts'
import { hookSecrets } from './provided.ts'
import type { Target } from './target.ts'

/** Shorter values are ordinary words; a target that uses one as a secret has none. */
const shortestSecret = 8

export function secretsOf({
  principals,
  headers,
  session,
  legacy,
  control,
  states,
}: Target): readonly Secret[] {
  const all = [
    ...principals.flatMap(({ name, bearer, pool = [] }) =>
      [bearer, ...pool].map((value) => ({ name: `key:${plain(name)}`, value })),
    ),
    ...(legacy?.keys ?? []).map(({ name, bearer }) => ({ name: `key:older-${plain(name)}`, value: bearer })),
    ...[...headers, ...(session?.headers ?? [])].flatMap((header) =>
      credentialsIn(header).map((value) => ({ name: `header:${plain(header[0])}`, value })),
    ),
    ...(control?.token ? [{ name: 'control', value: control.token }] : []),
    ...hookSecrets(states),
  ]
  return all.filter(({ value }) => value.length >= shortestSecret)
}

/** What may stand in a token. */
function plain(name: string): string {
  return name.replaceAll(/[^\w.-]/g, '-')
}
