/** Workflows whose buttons stay, or whose end comes soon. */
import { isObject, type Json } from '../json.ts'
import { onReply, memberText, withoutMembers } from '../modification/changes.ts'
import { variant, type Modification, type Variant } from '../modification/modification.ts'

/** No button that was ever offered is refused for its age. */
const allCurrent: NonNullable<Modification['rules']> = () => ({
  buttonState: (state) => (state === 'superseded' ? 'current' : state),
})

export const workflowVariants = {
  'menu-stays': variant({
    title: 'Every presentation of a conversation offers the buttons of its first one, and all stay current.',
    allowed: 'That other buttons follow is not stated.',
    rules: allCurrent,
    remember: () => {
      const menus = new Map<string, Json>()
      return onReply((fields) => {
        const { presentation, conversation_id: id = null } = fields
        if (presentation === undefined || !isObject(presentation)) return fields
        const { buttons = [] } = presentation
        const menu = menus.get(memberText(id)) ?? buttons
        menus.set(memberText(id), menu)
        return { ...fields, presentation: { ...presentation, buttons: menu } }
      })
    },
  }),
  'one-press-ends': variant({
    title: 'A Workflow ends with its first press, and its buttons can be pressed again.',
    allowed: 'A new presentation may follow, and what a button is without one is not stated.',
    rules: allCurrent,
    ...onReply((fields, { interaction }) => (interaction ? withoutMembers(fields, 'presentation') : fields)),
  }),
} as const satisfies Record<string, Variant>
