/** Variants of which endpoints a webhook may have. */
import { variant, type Variant } from '../modification/modification.ts'

const isLocal = (url: string): boolean => /^(?:localhost|127\.|\[::1\])/.test(URL.parse(url)?.hostname ?? '')

const secured = (url: string): string =>
  /^http:/i.test(url) && !isLocal(url) ? url.replace(/^http/i, 'https') : url

export const endpointVariants = {
  'endpoint-made-secure': variant({
    title: 'An endpoint of plain HTTP is taken, and changed to HTTPS.',
    allowed: 'An endpoint must be HTTPS, and it is.',
    rules: (rules) => ({
      endpointProblem: (url, state) => rules.endpointProblem(secured(url), state),
      created: (webhook) => {
        webhook.endpointUrl = secured(webhook.endpointUrl)
        return rules.created(webhook)
      },
      changes: (fields, state) => {
        const { endpointUrl, ...rest } = rules.changes(fields, state)
        return endpointUrl === undefined ? rest : { ...rest, endpointUrl: secured(endpointUrl) }
      },
    }),
  }),
  'endpoint-unparsed': variant({
    title: 'An endpoint that begins with https: is taken, also where it is no URL.',
    allowed: 'An endpoint must be HTTPS; that it can be reached is not stated.',
    warns: ['TGT-NOT-URL'],
    rules: (rules) => ({
      endpointProblem: (url, state) =>
        url.startsWith('https:') && !URL.canParse(url) ? null : rules.endpointProblem(url, state),
    }),
  }),
} as const satisfies Record<string, Variant>
