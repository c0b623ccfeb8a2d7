import type { Fixture } from '../fixture.ts';

/** Inserts a run of the fixture's query with one failed delivery. No route creates one without a failing receiver. */
export async function failedRun(
  fixture: Fixture,
  subscriptionId: number,
  recipientId: number,
): Promise<{ id: number; deliveryId: number }> {
  const [made] = await fixture.svc.sql<{ id: number; deliveryId: number }>(
    `with r as (
       insert into svc.runs (subscription_id, query_id, project_id, origin, due_at, status, finished_at, data_source_ids,
         message_sealed)
       select s.id, q.id, q.project_id, 'Test', date_trunc('milliseconds', now()), 'Failed', now(), array[$2::int], 'sealed'
       from svc.subscriptions s join svc.queries q on q.id = s.query_id where s.id = $1
       returning id, due_at),
     d as (
       insert into svc.deliveries (run_id, run_due_at, recipient_id, state, reason, message_id, finished_at)
       select r.id, r.due_at, $3, 'Failed', 'Http5xx', 'run-' || r.id, now() from r returning id)
     select r.id, d.id as "deliveryId" from r, d`,
    [subscriptionId, fixture.dataSource, recipientId],
  );
  if (!made) throw new Error('The matrix could not prepare a failed run.');
  return { id: Number(made.id), deliveryId: Number(made.deliveryId) };
}
