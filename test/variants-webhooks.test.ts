import { holdVariants } from './variant-tests.ts'

holdVariants('webhooks')
