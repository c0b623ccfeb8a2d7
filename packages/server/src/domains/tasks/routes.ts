import * as contract from '@svc/contract';
import { expectedVersion, type Route, readRoute, route, setVersionTag } from '../../platform/http/index.ts';
import type { TaskActions } from './actions/actions.ts';
import { changeMany } from './bulk.ts';
import type { TasksService } from './service.ts';

/** Routes that read tasks. */
const reads = (tasks: TasksService): Route[] => [
  readRoute(contract.listTasks, async ({ caller, query }) => tasks.list(caller, query)),
  route(contract.getTask, async ({ caller, params, reply }) => {
    const task = await tasks.get(caller, params.id);
    setVersionTag(reply, task.version);
    return task;
  }),
  route(contract.listTaskEvents, ({ caller, params, query }) => tasks.listEvents(caller, params.id, query)),
  route(contract.listTaskComments, ({ caller, params, query }) =>
    tasks.listComments(caller, params.id, query),
  ),
  route(contract.listTaskExecutions, ({ caller, params, query }) =>
    tasks.listExecutions(caller, params.id, query),
  ),
  route(contract.listTaskAssignees, ({ caller, params, query }) =>
    tasks.listAssignees(caller, params.id, query),
  ),
  route(contract.getTaskResultHistory, ({ caller, params }) => tasks.resultHistory(caller, params.id)),
  route(contract.listRelatedTasks, ({ caller, params, query }) =>
    tasks.listRelated(caller, params.id, query),
  ),
];

const keyOf = ({
  params,
  request,
}: {
  params: { id: number };
  request: Parameters<typeof expectedVersion>[0];
}) => ({
  id: params.id,
  version: expectedVersion(request),
});

/** Routes that change tasks. */
const changes = (actions: TaskActions): Route[] => [
  route(contract.resolveTask, async (context) => {
    await actions.resolve(context, keyOf(context), context.body.resolutionNotes ?? null);
    return undefined;
  }),
  route(contract.reopenTask, async (context) => {
    await actions.reopen(context, keyOf(context));
    return undefined;
  }),
  route(contract.assignTask, async (context) => {
    await actions.assign(context, keyOf(context), context.body.assigneeUserId);
    return undefined;
  }),
  route(contract.snoozeTask, async (context) => {
    const { snoozeUntil } = context.body;
    if (snoozeUntil === null) await actions.wake(context, keyOf(context));
    else await actions.snooze(context, keyOf(context), snoozeUntil);
    return undefined;
  }),
  route(contract.setTaskPriority, async (context) => {
    await actions.prioritise(context, keyOf(context), context.body.priority);
    return undefined;
  }),
  route(contract.addTaskComment, (context) => actions.comment(context, keyOf(context), context.body.content)),
  route(contract.watchTask, async (context) => {
    await actions.watch(context, context.params.id, true);
    return undefined;
  }),
  route(contract.unwatchTask, async (context) => {
    await actions.watch(context, context.params.id, false);
    return undefined;
  }),
  route(contract.changeTasks, (context) => changeMany(actions, context, context.body)),
];

export const taskRoutes = (tasks: TasksService, actions: TaskActions): Route[] => [
  ...reads(tasks),
  ...changes(actions),
];
