import type { Executor } from '@svc/jobs';
import type { Context } from './http/route.ts';
import type { Act } from './options.ts';

type Subject = Omit<Act, 'visitor' | 'request' | 'jobIds'>;
type Done<T> = { readonly result: T; readonly jobIds?: readonly string[]; readonly isNothing?: boolean };

/**
 * Does something and tells the audit of it, both in one transaction. What changed nothing is not told.
 *
 * @throws whatever the work or the audit throws; then nothing was changed.
 */
export async function actOn<T>(
  { db, options, visitor, request }: Context,
  subject: Subject,
  work: (transaction: Executor) => Promise<Done<T>>,
): Promise<T> {
  return db.transaction(async (transaction) => {
    const { result, jobIds, isNothing } = await work(transaction);
    if (isNothing !== true) {
      await options.audit?.({ ...subject, ...(jobIds && { jobIds }), visitor, request }, transaction);
    }
    return result;
  });
}
