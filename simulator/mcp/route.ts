/** The extension: the catalogue over the Model Context Protocol. Loaded with its first request, because few want it. */
import type { ServiceRoute } from '../server/route.ts'

export const mcpRoutes: readonly ServiceRoute[] = [
  {
    method: 'POST',
    path: '/mcp',
    handle: async (state, call) => {
      const { answerMcp } = await import('./server.ts')
      return answerMcp(state, call)
    },
  },
]
