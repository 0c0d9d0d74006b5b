/** The headers of a session that counts no more. */
import type { Header } from '../wire/exchange.ts'
import type { Target } from '../config/target.ts'

/** The one that the target file declares, else one that nobody ever had: `value` where the credentials would stand. */
export function endedSession(
  { session, sessions }: Pick<Target, 'session' | 'sessions'>,
  value: string,
): readonly Header[] {
  const declared = Object.values(sessions).find(({ ended }) => ended)
  return declared?.headers ?? (session?.headers ?? []).map((header) => withValue(header, value))
}

/** The names of cookies, and the scheme of an authorization, stay as they are. */
function withValue([name, text]: Header, value: string): Header {
  if (name.toLowerCase() === 'cookie') return [name, text.replaceAll(/=[^;]*/g, `=${value}`)]
  const [, scheme = ''] = /^([A-Za-z]+ )\S+$/.exec(text) ?? []
  return [name, `${scheme}${value}`]
}
