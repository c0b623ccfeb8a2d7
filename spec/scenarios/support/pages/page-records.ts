import type { DeliveryFixture } from '@svc/testkit/runs/delivery-fixture.ts';
import { addRecipient, addSubscription } from '@svc/testkit/runs/subscribe.ts';

/** Ids of the one record of each kind. */
export type PageRecords = {
  readonly query: number;
  readonly version: number;
  readonly subscription: number;
  readonly run: number;
  readonly task: number;
};

/** Creates one record of each kind for pages to show, and `runCount` past runs. */
export async function addPageRecords(fixture: DeliveryFixture, runCount: number): Promise<PageRecords> {
  const query = await fixture.addQuery('select 1 as one', 'The only query');
  const recipient = await addRecipient(fixture.root, {
    notificationType: 'Webhook',
    destination: `${fixture.sink.url}/hook`,
  });
  const subscription = await addSubscription(fixture.root, { queryId: query, recipientIds: [recipient] });
  const [run] = await fixture.svc.sql<{ id: number }>(
    `with made as (
       insert into svc.runs (subscription_id, query_id, project_id, origin, status, result_count, created_time, due_at,
         started_at, finished_at)
       select $1, q.id, q.project_id, 'Schedule', case when n % 10 = 1 then 'Failed' else 'Sent' end, n, due, due, due, due
       from svc.queries q, generate_series(1, ${runCount}) n,
         lateral (select date_trunc('milliseconds', now()) - make_interval(hours => n) as due) t
       where q.id = $2 returning *),
     counted as (
       insert into svc.run_counts_open (day, subscription_id, query_id, project_id, data_source_ids, status, ended_at)
       select (due_at at time zone 'UTC')::date, subscription_id, query_id, project_id, '{}', status, finished_at from made)
     select id from made`,
    [subscription, query],
  );
  if (!run) throw new Error('No run was inserted.');
  const [task] = await fixture.svc.sql<{ id: number }>(
    `insert into svc.tasks (subscription_id, project_id, latest_count) values ($1, $2, 1) returning id`,
    [subscription, fixture.projectId],
  );
  if (!task) throw new Error('No task was inserted.');
  const { body: versions } = await fixture.root.get(`/svc/api/queries/${query}/versions`);
  return { query, version: versions.items[0].id, subscription, run: Number(run.id), task: Number(task.id) };
}
