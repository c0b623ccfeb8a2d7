import type { BodyOf, changeSubscriptions, SubscriptionBulkResult } from '@svc/contract';
import { badRequest, HttpProblem, snoozeEnd } from '../../platform/http/index.ts';
import type { CallerActor } from '../audit/index.ts';
import type { SubscriptionsService } from './service.ts';

type BulkChange = BodyOf<typeof changeSubscriptions>;
type One = (id: number) => Promise<unknown>;

/**
 * Applies one change to several subscriptions, each in its own transaction. A refused one does not affect the others.
 */
export async function changeMany(
  service: SubscriptionsService,
  by: CallerActor,
  change: BulkChange,
  now: Date,
): Promise<SubscriptionBulkResult> {
  const act = actionOf(service, by, change, now);
  const results: SubscriptionBulkResult['results'] = [];
  for (const id of new Set(change.subscriptionIds)) results.push(await changeOne(act, id));
  return { results };
}

/** Returns the action for each subscription. Throws the refusal of an invalid change before any action. */
function actionOf(service: SubscriptionsService, by: CallerActor, change: BulkChange, now: Date): One {
  switch (change.act) {
    case 'Archive':
      return (id) => service.archive(by, id);
    case 'Reactivate':
      return (id) => service.reactivate(by, id);
    case 'Pause':
    case 'Resume':
      return (id) => service.setPaused(by, id, change.act === 'Pause');
    case 'Snooze': {
      if (change.until === undefined)
        throw badRequest('bulk-value-missing', 'The act Snooze needs until.', [
          { path: '/until', message: 'is missing' },
        ]);
      const until = change.until === null ? null : snoozeEnd(change.until, now);
      return (id) => service.snooze(by, id, until, change.reason?.trim() || null);
    }
  }
}

async function changeOne(act: One, id: number): Promise<SubscriptionBulkResult['results'][number]> {
  try {
    await act(id);
    return { id, isDone: true, code: null, detail: null };
  } catch (error) {
    if (!(error instanceof HttpProblem)) throw error;
    return { id, isDone: false, code: error.code ?? null, detail: error.message };
  }
}
