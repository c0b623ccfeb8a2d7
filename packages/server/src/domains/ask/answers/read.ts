import type { Answer } from '@svc/contract';
import type { Caller } from '../../../platform/access/index.ts';
import type { Executor } from '../../../platform/db/index.ts';
import { notFound } from '../../../platform/http/index.ts';
import type { AskDeps } from '../deps.ts';
import { requireOwnAnswer } from '../ownership.ts';
import { presentAnswer } from '../present.ts';
import { findAnswer } from '../store.ts';
import { openRows } from './rows.ts';

/** Returns an answer of the caller with its rows. */
export const createReadAnswer =
  (deps: Pick<AskDeps, 'database' | 'rights' | 'vault'>) =>
  async (caller: Caller, id: number): Promise<Answer> => {
    const row = await requireOwnAnswer(deps, caller, id);
    return presentAnswer(row, openRows(deps.vault, row));
  };

/** Returns an answer that the caller of this function has already checked. */
export async function readAnswer(
  { vault }: Pick<AskDeps, 'vault'>,
  executor: Executor,
  id: number,
): Promise<Answer> {
  const row = await findAnswer(executor, id);
  if (!row) throw notFound();
  return presentAnswer(row, openRows(vault, row));
}
