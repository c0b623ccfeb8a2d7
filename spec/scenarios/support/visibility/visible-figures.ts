import { addRecipient, addSubscription, recipientOf, runNow } from '@svc/testkit/runs/subscribe.ts';
import { addQuery } from '@svc/testkit/runs/watch.ts';
import type { Fixture } from '../../../access/fixture.ts';
import type { CallerView } from './caller-view.ts';
import { createRecord, type RecordRoute, type WatchedRecord } from './visible-records.ts';

const tasks = '/svc/api/tasks';
const health = '/svc/api/control-tower/health';
const statistics = '/svc/api/control-tower/statistics';

/** Figures of overview pages: the path, the member, the list with the same records, and its filter. */
const figures: readonly (readonly [path: string, member: string, list: string, filter: string])[] = [
  ['/svc/api/home/kpis', 'projects', '/svc/api/projects', ''],
  ['/svc/api/home/kpis', 'queries', '/svc/api/queries', ''],
  ['/svc/api/home/kpis', 'dataSources', '/svc/api/data-sources', ''],
  ['/svc/api/home/kpis', 'activeSubscriptions', '/svc/api/subscriptions', 'state=Active'],
  ['/svc/api/home/kpis', 'openTasks', tasks, 'state=Open'],
  ['/svc/api/home/kpis', 'runs', '/svc/api/notifications', ''],
  ['/svc/api/home/kpis', 'failedRuns', '/svc/api/notifications', 'status=Failed'],
  ['/svc/api/home/task-summary', 'open', tasks, 'state=Open'],
  ['/svc/api/home/task-summary', 'mine', tasks, 'state=Open&assignee=Me'],
  ['/svc/api/home/task-summary', 'overdue', tasks, 'state=Open&isOverdue=true'],
  ['/svc/api/home/task-summary', 'snoozed', tasks, 'state=Snoozed'],
  ['/svc/api/data-quality/overview', 'contractCount', '/svc/api/data-quality/contracts', ''],
  [statistics, 'total', health, ''],
  [statistics, 'critical', health, 'health=Critical'],
  [statistics, 'warning', health, 'health=Warning'],
  [statistics, 'new', health, 'health=New'],
  [statistics, 'healthy', health, 'health=Healthy'],
  [statistics, 'openTasks', tasks, 'state=Open'],
  [statistics, 'overdueTasks', tasks, 'state=Open&isOverdue=true'],
  [`${health}?kind=Subscription`, 'totalCount', '/svc/api/subscriptions', 'state=Active'],
  [`${health}?kind=Contract`, 'totalCount', '/svc/api/data-quality/contracts', ''],
  ['/svc/api/home/migration-summary', 'jobs', '/svc/api/migrations/jobs', ''],
];

const nameOf = ([path, member]: (typeof figures)[number]): string => `${member} of ${path}`;
export const figureNames: readonly string[] = figures.map(nameOf);

/**
 * Compares the figures with the totals of their lists, as one caller.
 *
 * @returns a sentence per difference, and the names of the figures above 0 that equal their list.
 */
export async function compareFigures(
  view: CallerView,
): Promise<{ readonly wrong: readonly string[]; readonly positive: readonly string[] }> {
  const wrong: string[] = [];
  const positive: string[] = [];
  for (const figure of figures) {
    const [path, member, list, filter] = figure;
    const document = await view.figures(path);
    const { isShown, totalCount } = await view.list({
      template: list,
      path: list,
      filter,
      parent: undefined,
    });
    if (document === null || !isShown) continue;
    if (document[member] !== totalCount)
      wrong.push(`${view.kind}: ${nameOf(figure)} is ${document[member]}, and ${list} shows ${totalCount}`);
    else if (totalCount > 0) positive.push(nameOf(figure));
  }
  return { wrong, positive };
}

function routeOf(routes: readonly RecordRoute[], byId: string): RecordRoute {
  const route = routes.find((candidate) => candidate.byId === byId);
  if (!route) throw new Error(`No route ${byId} reads records.`);
  return route;
}

async function send({ root }: Fixture, path: string, body: unknown): Promise<void> {
  const { status, text } = await root.post(path, body);
  if (status >= 300) throw new Error(`${path} answers ${status} ${text}`);
}

/** Runs a subscription whose query divides by zero. Returns the id of its recipient. */
async function runFailing({ root, project, dataSource }: Fixture): Promise<number> {
  const queryId = await addQuery(
    root,
    project,
    dataSource,
    'select 1 / (count(*) - 1) as one from (select 1) t',
  );
  const recipientId = await addRecipient(root, recipientOf.Webhook);
  const id = await addSubscription(root, { queryId, recipientIds: [recipientId] });
  const { status } = await runNow(root, id);
  if (status !== 'Failed') throw new Error(`The run ended as ${status}.`);
  return recipientId;
}

/**
 * Prepares the records that the figures count: a failed run, and tasks that are snoozed, overdue, and assigned to an
 * Admin and an Editor.
 *
 * @returns the recipient of the failed run, and a subscription with an open task, which its route can remove.
 */
export async function createCountedRecords(
  fixture: Fixture,
  routes: readonly RecordRoute[],
): Promise<{ readonly recipient: WatchedRecord; readonly subscription: WatchedRecord }> {
  const { svc, root } = fixture;
  const recipientId = await runFailing(fixture);
  const tasksRoute = routeOf(routes, `${tasks}/{id}`);
  const task = async () => {
    const record = await createRecord(tasksRoute, 'GET', fixture, 'superAdmin');
    if (!record) throw new Error('The access matrix creates no task.');
    return record.path;
  };
  const snoozeUntil = new Date(Date.now() + 86_400_000).toISOString();
  await send(fixture, `${await task()}/snooze`, { snoozeUntil });
  for (const client of [root, fixture.clients.editor]) {
    const { userId } = (await client?.get('/svc/api/auth/me'))?.body ?? {};
    await send(fixture, `${await task()}/assign`, { assigneeUserId: userId });
  }
  await svc.sql(
    `update svc.tasks set due_at = date_trunc('milliseconds', now() - interval '1 hour') where id = $1`,
    [(await task()).split('/').at(-1)],
  );
  const { subscriptionId } = (await root.get(await task())).body;
  const recordOf = (list: string, id: number): WatchedRecord => ({
    route: routeOf(routes, `${list}/{id}`),
    path: `${list}/${id}`,
  });
  return {
    recipient: recordOf('/svc/api/recipients', recipientId),
    subscription: recordOf('/svc/api/subscriptions', subscriptionId),
  };
}
