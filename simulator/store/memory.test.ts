import { createMemoryStore } from './memory.ts'
import { storeSuite } from './store-suite.testkit.ts'

storeSuite(async () => ({ store: createMemoryStore(), end: async () => undefined }))
