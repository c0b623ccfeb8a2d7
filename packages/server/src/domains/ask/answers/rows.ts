import type { Answer } from '@svc/contract';
import { openBytes, seal } from '../../../platform/crypto/index.ts';
import type { Vault } from '../deps.ts';
import type { AnswerRow } from '../store.ts';

const retentionDays = 30;

const placeOf = (rowId: number) => ({ table: 'answers', column: 'rows_sealed', rowId });

/** Encrypts the rows of an answer for storage. */
export const sealRows = (vault: Vault, id: number, rows: readonly (readonly unknown[])[]) => ({
  sealed: seal(vault.keys, JSON.stringify(rows), placeOf(id), vault.random),
  days: retentionDays,
});

/** Decrypts the stored rows of an answer. Returns null if there are none, or if their key was removed. */
export function openRows(vault: Vault, { id, rowsSealed }: AnswerRow): Answer['rows'] {
  if (rowsSealed === null) return null;
  const opened = openBytes(vault.keys, rowsSealed, placeOf(id));
  // This domain wrote the rows.
  return opened ? (JSON.parse(opened.toString('utf8')) as unknown[][]) : null;
}
