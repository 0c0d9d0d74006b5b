/** What of a target must not be read in anything that is written or printed. */
import { credentialsIn } from '../wire/credentials.ts'
import { inOtherCase } from '../wire/route.ts'
import type { Secret } from '../../bundle/redaction/redaction.ts'
import { hookSecrets } from './provided.ts'
import type { Target } from './target.ts'

/** Shorter values are ordinary words; a target that uses one as a secret has none. */
const shortestSecret = 8

export function secretsOf(target: Target): readonly Secret[] {
  const listed = allOf(target).flatMap(inEitherCase)
  const others = (target.referred ?? []).filter(({ value }) => !listed.some((one) => one.value === value))
  return [...listed, ...others].filter(({ value }) => value.length >= shortestSecret)
}

/** A key is also sent with its letters in the other case, from which anybody would find it. */
function inEitherCase(secret: Secret): readonly Secret[] {
  const other = inOtherCase(secret.value)
  return secret.name.startsWith('key:') && other !== secret.value
    ? [secret, { name: `${secret.name}.other-case`, value: other }]
    : [secret]
}

/** Names of keys that stay in what is written, because their values are as short as ordinary words. */
export function tooShortIn(target: Target): readonly string[] {
  const short = allOf(target).filter(({ name, value }) => isKey.test(name) && value.length < shortestSecret)
  return [...new Set(short.map(({ name }) => name))]
}

/** A header may say anything. */
const isKey = /^(?:key:|control$)/

function allOf({
  principals,
  headers,
  session,
  sessions,
  webhookCreation,
  legacy,
  control,
  states,
  furtherStates = {},
}: Target): readonly Secret[] {
  return [
    ...principals.flatMap(({ name, bearer, pool = [] }) =>
      [bearer, ...pool].map((value) => ({ name: `key:${plain(name)}`, value })),
    ),
    ...(legacy?.keys ?? []).map(({ name, bearer }) => ({ name: `key:older-${plain(name)}`, value: bearer })),
    ...[...headers, ...(session?.headers ?? []), ...(webhookCreation?.headers ?? [])].flatMap((header) =>
      credentialsIn(header).map((value) => ({ name: `header:${plain(header[0])}`, value })),
    ),
    ...Object.entries(sessions).flatMap(([user, { headers: own }]) =>
      own.flatMap((header) =>
        credentialsIn(header).map((value) => ({ name: `header:${plain(`${header[0]}.${user}`)}`, value })),
      ),
    ),
    ...(control?.token ? [{ name: 'control', value: control.token }] : []),
    ...hookSecrets(states),
    ...Object.entries(furtherStates).flatMap(([state, ways]) =>
      ways.flatMap((way) => hookSecrets({ [state]: way })),
    ),
  ]
}

function plain(name: string): string {
  return name.replaceAll(/[^\w.-]/g, '-')
}
