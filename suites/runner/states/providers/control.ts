/** The control protocol: the target itself is asked, and says whether it is in the state. */
import { certainlyUnsent } from './reached.ts'
import { clearly, NotEntered, unclear, unprovided, type StateProvider } from './provider.ts'
import { errorMessage } from '../../../../reports/bundle/text.ts'

export const control: StateProvider<'control'> = {
  async enter({ state, about, deps }) {
    if (!deps.control) throw new NotEntered('the target declares no `control`', unprovided)
    const answer = await deps.control.enter(state, about).catch((thrown: unknown) => {
      const words = errorMessage(thrown)
      throw new NotEntered(words, certainlyUnsent(thrown) ? clearly : unclear)
    })
    if (!answer.ok) throw new NotEntered(answer.because, answer.offered ? clearly : unprovided)
    const { handle, setting } = answer.prepared
    return { given: setting, handle }
  },
  leaver:
    () =>
    async ({ state, handle, deps }) => {
      if (!deps.control) throw new Error('the target declares no `control`')
      if (handle === undefined) throw new Error('the control protocol never gave a handle to leave it by')
      await deps.control.leave(state, handle)
    },
}
