import type { ExecuteOptions, ResultStream } from '../../port.ts';
import type { DryRunAnswer } from './dry-run.ts';

/** Prefix of a statement that requests its scan estimate in place of rows. BigQuery itself has no such keyword. */
export const planPrefix = 'explain ';

/** Returns the scan estimate: one row with one document. */
export function planOf(
  { scannedBytes, accuracy, tables }: DryRunAnswer,
  { wantOrigins }: Pick<ExecuteOptions, 'wantOrigins'>,
): ResultStream {
  const document = JSON.stringify({ scannedBytes, accuracy, tables });
  return {
    columns: [{ name: 'plan', kind: 'json', databaseType: 'JSON', ...(wantOrigins ? { origin: null } : {}) }],
    batches: (async function* () {
      yield { rowCount: 1, columns: [[document]] };
    })(),
    close: async () => undefined,
  };
}
