import type { DeliveryFixture } from '@svc/testkit/runs/delivery-fixture.ts';
import { addRecipient, addSubscription } from '@svc/testkit/runs/subscribe.ts';

/** Inserts one run per day before today, the last one for yesterday. No route creates past runs. */
export const addPastRuns = (
  { svc }: DeliveryFixture,
  subscriptionId: number,
  counts: readonly number[],
  status = 'Sent',
): Promise<unknown> =>
  svc.sql(
    `insert into svc.runs (subscription_id, query_id, project_id, origin, due_at, status, finished_at, data_source_ids,
       result_count)
     select s.id, s.query_id, q.project_id, 'Schedule',
       date_trunc('milliseconds', now()) - make_interval(days => $3::int - c.at::int + 1), $4, now(), '{}', c.count
     from svc.subscriptions s join svc.queries q on q.id = s.query_id,
       unnest($2::bigint[]) with ordinality as c (count, at) where s.id = $1`,
    [subscriptionId, counts, counts.length, status],
  );

/**
 * Returns counts that vary around a level, the same in each call. The deviation is at most the square root of the
 * level.
 */
export const wave = (level: number, length = 20): number[] =>
  Array.from({ length }, (_, day) => level + Math.round(Math.sqrt(level) * Math.sin(day * 2.4)));

/** Creates a subscription to the rows of a table. Returns a function that fills the table. */
export async function watchTable(fixture: DeliveryFixture, more: Readonly<Record<string, unknown>> = {}) {
  await fixture.source.sql('create table alarms (id int)');
  const queryId = await fixture.addQuery('select id from alarms');
  const recipientIds = [
    await addRecipient(fixture.root, {
      notificationType: 'Webhook',
      destination: `${fixture.sink.url}/webhook`,
    }),
  ];
  const id = await addSubscription(fixture.root, { queryId, recipientIds, createTasks: true, ...more });
  const fill = (rows: number) =>
    fixture.source.sql(`truncate alarms; insert into alarms select generate_series(1, ${rows})`);
  return { id, queryId, fill };
}
