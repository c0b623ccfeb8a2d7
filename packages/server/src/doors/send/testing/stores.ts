import type { AttemptEnd, AttemptStart, Ledger, RecipientRow, Recipients } from '../ports.ts';

/** A ledger in memory, with the rules of the port. */
export type MemoryLedger = Ledger & {
  readonly rows: Map<string, { readonly start: AttemptStart; end: AttemptEnd | 'Sending' }>;
};

/** Makes a ledger in memory. */
export function createMemoryLedger(changes: Partial<Ledger> = {}): MemoryLedger {
  const rows: MemoryLedger['rows'] = new Map();
  return {
    rows,
    begin: async (start) => {
      if (rows.has(start.deliveryId)) return 'AlreadyAttempted';
      rows.set(start.deliveryId, { start, end: 'Sending' });
      return 'Started';
    },
    withdraw: async ({ deliveryId }) => {
      if (rows.get(deliveryId)?.end === 'Sending') rows.delete(deliveryId);
    },
    finish: async (start, end) => {
      rows.set(start.deliveryId, { start, end });
    },
    ...changes,
  };
}

/** Recipients in memory: what is set is what the next reading sees. */
export function createMemoryRecipients(): Recipients & { readonly rows: Map<number, RecipientRow> } {
  const rows = new Map<number, RecipientRow>();
  return { rows, readCurrent: async (recipientId) => rows.get(recipientId) };
}
