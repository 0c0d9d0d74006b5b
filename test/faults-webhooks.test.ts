import { webhookAreas } from '../spec/index.ts'
import { holdFaults } from './fault-tests.ts'

holdFaults(webhookAreas)
