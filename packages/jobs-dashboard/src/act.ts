import type { Executor } from '@svc/jobs';
import type { Context } from './http/route.ts';
import type { Act } from './options.ts';

type Subject = Omit<Act, 'visitor' | 'request' | 'jobIds'>;
type Done<T> = { readonly result: T; readonly jobIds?: readonly string[]; readonly isNothing?: boolean };

/**
 * Performs an action and records it in the audit, both in one transaction. An action without changes is not recorded.
 *
 * @throws the error of the work or the audit; nothing was changed then.
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
