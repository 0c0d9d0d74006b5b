/** The older chat variant, served in ways that its description leaves open. */
import type { JsonObject } from '../json.ts'
import { memberText } from '../modification/changes.ts'
import { variant, type Variant } from '../modification/modification.ts'
import { onOlderBody, onMessages } from '../modification/older-changes.ts'

const interpretations = { 'GAP-OLDER-SERVED': 'yes' } as const

const withMilliseconds = (time: string): string => time.replace(/(?:\.\d+)?Z$/, '.250Z')
const wholeSeconds = (time: string): string => time.replace(/\.\d+Z$/, 'Z')

export const olderVariants = {
  'older-long-in-parts': variant({
    title: 'A message of more than a thousand characters is listed in parts.',
    allowed: 'That a message is listed as one is not stated.',
    interpretations,
    ...onMessages((said) =>
      said.flatMap((message) =>
        (memberText(message['content']).match(/[^]{1,1000}/g) ?? ['']).map((content) => ({
          ...message,
          content,
        })),
      ),
    ),
  }),
  'older-created-coarser-later': variant({
    title: 'The creation time of a conversation has milliseconds at first, and later whole seconds.',
    allowed: 'The precision is not stated.',
    interpretations,
    ...onOlderBody('older-conversation', (body) => {
      const said = (body['messages'] ?? []) as readonly JsonObject[]
      const written = said.length > 2 ? wholeSeconds : withMilliseconds
      return { ...body, created_at: written(memberText(body['created_at'])) }
    }),
  }),
} as const satisfies Record<string, Variant>
