import { apartAreas, chatAreas } from '../spec/index.ts'
import { holdFaults } from './fault-tests.ts'

holdFaults([...chatAreas, ...apartAreas])
