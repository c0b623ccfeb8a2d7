import type { Fixture } from '../fixture.ts';

/** Inserts a task of a subscription. Only a run with result rows opens a task, and the runs of the matrix have none. */
async function freshTask({ svc }: Fixture, subscriptionId: number, state: string): Promise<number> {
  const [made] = await svc.sql<{ id: number }>(
    `insert into svc.tasks (subscription_id, project_id, latest_count, state, resolved_at, resolution)
     select s.id, q.project_id, 3, $2, case $2 when 'Resolved' then now() end, case $2 when 'Resolved' then 'Manual' end
     from svc.subscriptions s join svc.queries q on q.id = s.query_id where s.id = $1 returning id`,
    [subscriptionId, state],
  );
  if (!made) throw new Error('The matrix could not prepare a task.');
  return Number(made.id);
}

/** Bodies of the actions on a task. */
const taskBodies: Readonly<Record<string, unknown>> = {
  resolve: { resolutionNotes: 'Seen to.' },
  reopen: undefined,
  assign: { assigneeUserId: null },
  snooze: { snoozeUntil: null },
  priority: { priority: 'High' },
  comments: { content: 'Seen.' },
  watch: undefined,
  unwatch: undefined,
};

/** Paths of the readable resources of a task; the empty path is the task itself. */
const taskReads = [
  '',
  '/events',
  '/comments',
  '/executions',
  '/result-history',
  '/related',
  '/assignees',
] as const;

const tasks = '/svc/api/tasks';
type Recipe = (
  fixture: Fixture,
) => Promise<{ readonly path?: string; readonly body?: unknown; readonly as?: undefined }>;

/** Requests about tasks. Each request uses its own task. */
export function taskRecipes(
  freshSubscription: (fixture: Fixture) => Promise<number>,
): Readonly<Record<string, Recipe>> {
  const made = async (fixture: Fixture, state = 'Open') =>
    freshTask(fixture, await freshSubscription(fixture), state);
  const reads = taskReads.map((part): [string, Recipe] => [
    `GET ${tasks}/{id}${part}`,
    async (fixture) => ({ path: `${tasks}/${await made(fixture)}${part}` }),
  ]);
  const acts = Object.entries(taskBodies).map(([act, body]): [string, Recipe] => [
    `POST ${tasks}/{id}/${act}`,
    async (fixture) => ({
      path: `${tasks}/${await made(fixture, act === 'reopen' ? 'Resolved' : 'Open')}/${act}`,
      body,
    }),
  ]);
  return {
    ...Object.fromEntries([...reads, ...acts]),
    [`POST ${tasks}/bulk`]: async (fixture) => ({ body: { taskIds: [await made(fixture)], act: 'Resolve' } }),
  };
}
