import { holdVariants } from './variant-tests.ts'

holdVariants('turns')
