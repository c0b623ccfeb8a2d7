import {
  type AttemptEnd,
  type AttemptStart,
  deliveryIdOf,
  type Ledger,
  type RecipientRow,
  type Recipients,
} from '../ports.ts';

/** A ledger in memory, with the rules of the port. */
export type MemoryLedger = Ledger & {
  readonly rows: Map<string, { readonly start: AttemptStart; end: AttemptEnd | 'Sending' }>;
};

/** Creates a ledger in memory. */
export function createMemoryLedger(changes: Partial<Ledger> = {}): MemoryLedger {
  const rows: MemoryLedger['rows'] = new Map();
  return {
    rows,
    begin: async (start) => {
      const id = deliveryIdOf(start.delivery);
      if (rows.has(id)) return 'AlreadyAttempted';
      rows.set(id, { start, end: 'Sending' });
      return 'Started';
    },
    withdraw: async ({ delivery }) => {
      const id = deliveryIdOf(delivery);
      if (rows.get(id)?.end === 'Sending') rows.delete(id);
    },
    finish: async (start, end) => {
      rows.set(deliveryIdOf(start.delivery), { start, end });
    },
    ...changes,
  };
}

/** Creates recipients in memory. A change is visible to the next read. */
export function createMemoryRecipients(): Recipients & { readonly rows: Map<number, RecipientRow> } {
  const rows = new Map<number, RecipientRow>();
  return { rows, readCurrent: async (recipientId) => rows.get(recipientId) };
}
