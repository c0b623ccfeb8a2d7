import { brokenRule, conflict } from '../../platform/http/index.ts';
import type { SubscriptionRow } from './store/index.ts';

/** Throws 409 for an archived subscription. */
export function requireNotArchived(row: Pick<SubscriptionRow, 'archivedAt'>): void {
  if (row.archivedAt !== null)
    throw conflict('subscription-archived', 'This subscription is archived. Reactivate it first.');
}

/** Throws 409 for a subscription whose query is archived. */
export function requireQuery<T>(query: T | undefined): asserts query is T {
  if (query === undefined)
    throw conflict('query-gone', 'The query of this subscription was archived. Subscribe to another one.');
}

/** Throws the refusal of a subscription that has no recipient and creates no tasks. */
export function requireAudience(input: {
  readonly recipientIds: readonly number[];
  readonly createTasks?: boolean | undefined;
}): void {
  if (input.recipientIds.length > 0 || input.createTasks === true) return;
  throw brokenRule(
    'recipients-required',
    'Name at least one recipient, or have it create tasks: a subscription without either would alert nobody.',
    [{ path: '/recipientIds', message: 'must not be empty' }],
  );
}
