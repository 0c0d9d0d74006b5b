/** What of a target must not be read in anything that is written or printed. */
import { headerSecrets, isSecret, secretName } from '../wire/credentials.ts'
import { inOtherCase } from '../wire/route.ts'
import type { Secret } from '../../bundle/redaction/redaction.ts'
import { hookSecrets } from './provided.ts'
import type { Target } from './target.ts'

export function secretsOf(target: Target): readonly Secret[] {
  const listed = allOf(target).flatMap(inEitherCase)
  const others = (target.referred ?? []).filter(({ value }) => !listed.some((one) => one.value === value))
  return [...listed, ...others].filter(isSecret)
}

/** Where keys and headers come from, as `env:NAME` or `file:PATH`: a key by its principal, a header as `header:NAME`. */
export function originsOf(target: Target): Readonly<Record<string, string>> {
  const headers = allOf(target).flatMap(({ name, value }) => {
    const reference = target.referred?.find((one) => one.value === value)?.reference
    return name.startsWith('header:') && reference !== undefined ? [[name, reference]] : []
  })
  const keys = target.principals.flatMap(({ name, source }) => (source === undefined ? [] : [[name, source]]))
  return Object.fromEntries([...headers, ...keys])
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
  const short = allOf(target).filter((one) => isKey.test(one.name) && !isSecret(one))
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
      [bearer, ...pool].map((value) => ({ name: `key:${secretName(name)}`, value })),
    ),
    ...(legacy?.keys ?? []).map(({ name, bearer }) => ({
      name: `key:older-${secretName(name)}`,
      value: bearer,
    })),
    ...[...headers, ...(session?.headers ?? []), ...(webhookCreation?.headers ?? [])].flatMap((header) =>
      headerSecrets(header),
    ),
    ...Object.entries(sessions).flatMap(([user, { headers: own }]) =>
      own.flatMap((header) => headerSecrets(header, `${header[0]}.${user}`)),
    ),
    ...(control?.token ? [{ name: 'control', value: control.token }] : []),
    ...hookSecrets(states),
    ...Object.entries(furtherStates).flatMap(([state, ways]) =>
      ways.flatMap((way) => hookSecrets({ [state]: way })),
    ),
  ]
}
