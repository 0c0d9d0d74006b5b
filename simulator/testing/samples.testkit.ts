/** An input for each operation that takes one; the agent is the plain one. */
import type { JsonObject } from '../json.ts'

export function samples(agentId: string): Readonly<Record<string, JsonObject>> {
  return {
    'agent_setup.inspect': { agentId },
    'agent_design.draft': {
      agentId,
      instructions: 'Be brief.',
      tone: 'formal',
      temperature: 0.5,
      topics: ['orders', 'returns'],
      hours: { from: '09:00', to: '17:30', weekends: false },
    },
    'calendar.connect': { agentId, provider: 'caldav', url: 'https://calendar.example.org/ida' },
    'notes.create': {
      text: 'Call Ida back.',
      priority: 'high',
      tags: ['phone', 'returns'],
      remindAt: '2030-02-01T09:00:00Z',
      author: { name: 'Ada', email: 'ada@example.com' },
    },
    'customers.import': {
      customers: [{ name: 'Ida', email: 'ida@example.com', country: 'NL', orders: 3 }],
      source: 'shop',
    },
    'customers.erase': { customerId: 'cus_1001', reason: 'law' },
    'orders.export': { format: 'csv', from: '2029-01-01', to: '2029-12-31', columns: ['number', 'total'] },
    'orders.archive': { before: '2029-01-01' },
    'reports.build': { period: '2029-12', sections: ['turns'] },
    'knowledge.upload_document': { fileName: 'faq.txt', contentType: 'text/plain', size: 5 },
    'knowledge.upload_spreadsheet': { fileName: 'prices.csv', contentType: 'text/csv', size: 4 },
    'payments.refund': { paymentId: 'pay_1001', amountCents: 250, currency: 'EUR', reason: 'damaged' },
  }
}
