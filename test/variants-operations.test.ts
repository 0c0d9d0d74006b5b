import { holdVariants } from './variant-tests.ts'

holdVariants('operations')
