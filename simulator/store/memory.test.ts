import { createMemoryStore } from './memory.ts'
import { storeSuite } from './store-suite.double.ts'

storeSuite(async () => ({ store: createMemoryStore(), end: async () => undefined }))
