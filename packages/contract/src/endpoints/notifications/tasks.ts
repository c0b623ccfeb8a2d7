import { type Static, type TSchema, Type } from 'typebox';
import { access } from '../../access.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { BigId, Id, IdParams, listQuery, nullable, pageOf, Time, wordOf } from '../../shapes.ts';
import { type EvaluationStatus, evaluationStatuses } from '../contracts/contract-evaluations.ts';
import { type RunStatus, runStatuses } from './notifications.ts';

export const taskStates = ['Open', 'Resolved'] as const;
export type TaskState = (typeof taskStates)[number];
/** Most urgent first. */
export const taskPriorities = ['Critical', 'High', 'Normal', 'Low'] as const;
export type TaskPriority = (typeof taskPriorities)[number];
export const taskResolutions = ['Automatic', 'Manual'] as const;
export type TaskResolution = (typeof taskResolutions)[number];
/** Filters of a task list: open tasks that are not snoozed, snoozed tasks, resolved tasks, all. */
export const taskListStates = ['Open', 'Snoozed', 'Resolved', 'All'] as const;
export type TaskListState = (typeof taskListStates)[number];
export const taskAssignees = ['Me', 'Nobody', 'Somebody'] as const;
export type TaskAssignee = (typeof taskAssignees)[number];
/** Events of a task. */
export const taskEventKinds = [
  'Opened',
  'CountChanged',
  'Assigned',
  'Unassigned',
  'PriorityChanged',
  'Snoozed',
  'Woke',
  'Overdue',
  'Resolved',
  'Reopened',
  'Commented',
  'Acknowledged',
  'AcknowledgementWithdrawn',
] as const;
export type TaskEventKind = (typeof taskEventKinds)[number];
/** Actions on several tasks in one request. */
export const taskBulkActs = ['Resolve', 'Reopen', 'Assign', 'Snooze', 'Prioritise'] as const;
export type TaskBulkAct = (typeof taskBulkActs)[number];

export const taskNotesLengthMax = 2_000;
export const taskCommentLengthMax = 4_000;
const tag = 'tasks';
const root = '/svc/api/tasks';
const Count = Type.Integer({ minimum: 0 });

const summary = {
  id: Id,
  subscriptionId: nullable(Id),
  contractId: nullable(Id),
  queryId: nullable(Id),
  name: Type.String({
    description: 'Name of the query that returned the rows, or of the data contract that failed.',
  }),
  projectId: Id,
  projectName: Type.String(),
  state: wordOf(taskStates),
  priority: wordOf(taskPriorities),
  assigneeUserId: nullable(Id),
  assigneeName: nullable(Type.String()),
  latestResultCount: Type.Integer({
    minimum: 0,
    description: 'Rows of the last run with a result. For a data contract: rules that did not pass.',
  }),
  latestAt: Time,
  createdTime: Time,
  dueAt: nullable(
    Type.String({
      format: 'date-time',
      description: 'Deadline for resolving the task; null without an SLA.',
    }),
  ),
  isOverdue: Type.Boolean(),
  snoozedUntil: nullable(Time),
  resolvedAt: nullable(Time),
  resolvedByName: nullable(Type.String()),
  resolution: nullable(wordOf(taskResolutions)),
  version: Type.Integer(),
};

export const Task = Type.Object(summary, { $id: 'Task' });
export type Task = Static<typeof Task>;

export const TaskDetail = Type.Object(
  {
    ...summary,
    resolutionNotes: nullable(Type.String()),
    slaHours: nullable(Type.Integer()),
    ownerUserId: nullable(Id),
    ownerName: nullable(Type.String({ description: 'Owner of the subscription or the data contract.' })),
    previousTaskId: nullable(Id),
    watcherCount: Count,
    isWatching: Type.Boolean(),
    commentCount: Count,
    canAct: Type.Boolean({ description: 'The caller may change the task: resolve it, assign it and so on.' }),
    hasStoredRows: Type.Boolean({
      description:
        'A run that ended while the task was open stored its rows, and the caller may see them. `getLastResult` returns them.',
    }),
  },
  { $id: 'TaskDetail' },
);
export type TaskDetail = Static<typeof TaskDetail>;

export const TaskEvent = Type.Object(
  {
    id: BigId,
    kind: wordOf(taskEventKinds),
    createdTime: Time,
    userName: nullable(Type.String({ description: 'Null: the service.' })),
    content: nullable(Type.String({ description: 'Text that the user wrote.' })),
    comment: nullable(Type.String({ description: 'Description of the event.' })),
    notificationId: nullable(
      Type.Integer({ description: 'Run that caused the event, if the caller may see it.' }),
    ),
  },
  { $id: 'TaskEvent' },
);
export type TaskEvent = Static<typeof TaskEvent>;

export const TaskComment = Type.Object(
  { id: BigId, content: Type.String(), userName: nullable(Type.String()), createdTime: Time },
  { $id: 'TaskComment' },
);
export type TaskComment = Static<typeof TaskComment>;

/** A run of the subscription, or an evaluation of the data contract. */
export const TaskExecution = Type.Object(
  {
    id: Type.Integer({ ...BigId, description: 'Id of the run or of the evaluation.' }),
    evaluationId: nullable(BigId, { description: 'Null: the execution is a run.' }),
    executedAt: Time,
    durationMs: nullable(Type.Number()),
    rowCount: nullable(Count, {
      description: 'Rows of the run. For an evaluation: rules that did not pass.',
    }),
    status: Type.Unsafe<RunStatus | EvaluationStatus>({
      type: 'string',
      enum: [...new Set<string>([...runStatuses, ...evaluationStatuses])],
    }),
  },
  { $id: 'TaskExecution' },
);
export type TaskExecution = Static<typeof TaskExecution>;

/** A user who can be assigned a task. */
export const TaskAssigneeCandidate = Type.Object(
  { id: Id, name: Type.String() },
  { $id: 'TaskAssigneeCandidate' },
);
export type TaskAssigneeCandidate = Static<typeof TaskAssigneeCandidate>;

export const TaskResultHistory = Type.Object(
  {
    taskId: Id,
    points: Type.Array(
      Type.Object({
        notificationId: nullable(Id, { description: 'Null: the point is an evaluation of a data contract.' }),
        evaluationId: nullable(BigId),
        sampledAt: Time,
        resultCount: Count,
      }),
      { description: 'The last 100 points, oldest first.' },
    ),
  },
  { $id: 'TaskResultHistory' },
);
export type TaskResultHistory = Static<typeof TaskResultHistory>;

export const TaskBulkResult = Type.Object(
  {
    results: Type.Array(
      Type.Object({
        id: Id,
        isDone: Type.Boolean(),
        code: nullable(Type.String({ description: 'Problem code of the refusal.' })),
        detail: nullable(Type.String()),
      }),
      { description: 'Results in the order of the request.' },
    ),
  },
  { $id: 'TaskBulkResult' },
);
export type TaskBulkResult = Static<typeof TaskBulkResult>;

const notes = nullable(
  Type.String({
    maxLength: taskNotesLengthMax,
    description: "Description of the resolution, in the user's own words.",
  }),
);
const snoozeUntil = nullable(
  Type.String({
    format: 'date-time',
    description: 'End of the snooze, within 90 days from now; null ends the snooze now.',
  }),
);
const assigneeUserId = nullable(
  Type.Integer({
    minimum: 1,
    maximum: 2_147_483_647,
    description: 'User who can read the project; null: unassigned.',
  }),
);
const priority = wordOf(taskPriorities);

const readable = access.read({ project: 'readable' });
const writable = access.write({ project: 'writable' });
const personal = access.personal({ project: 'readable' });

export const listTasks = defineEndpoint({
  operationId: 'listTasks',
  tag,
  summary: 'Tasks of the readable projects; the state `Open` excludes snoozed tasks',
  method: 'GET',
  path: root,
  query: Type.Object({
    ...listQuery,
    state: Type.Optional(wordOf(taskListStates)),
    search: Type.Optional(Type.String({ maxLength: 200, description: 'Part of the name.' })),
    projectId: Type.Optional(Id),
    subscriptionId: Type.Optional(Id),
    contractId: Type.Optional(Id),
    queryId: Type.Optional(Id),
    assignee: Type.Optional(wordOf(taskAssignees)),
    priority: Type.Optional(priority),
    isOverdue: Type.Optional(Type.Boolean()),
  }),
  responses: { 200: pageOf(Task) },
  access: readable,
});

export const getTask = defineEndpoint({
  operationId: 'getTask',
  tag,
  summary: 'One task',
  method: 'GET',
  path: `${root}/{id}`,
  params: IdParams,
  responses: { 200: TaskDetail },
  sends: ['ETag'],
  access: readable,
});

/** Declares a list that belongs to one task. */
const listOf = <const Name extends string, T extends TSchema>(
  operationId: Name,
  part: string,
  item: T,
  summaryText: string,
) =>
  defineEndpoint({
    operationId,
    tag,
    summary: summaryText,
    method: 'GET',
    path: `${root}/{id}/${part}`,
    params: IdParams,
    query: Type.Object({ ...listQuery }),
    responses: { 200: pageOf(item) },
    access: readable,
  });

export const listTaskEvents = listOf(
  'listTaskEvents',
  'events',
  TaskEvent,
  'Events of a task, including comments, newest first',
);
export const listTaskComments = listOf('listTaskComments', 'comments', TaskComment, 'Comments, newest first');
export const listTaskExecutions = listOf(
  'listTaskExecutions',
  'executions',
  TaskExecution,
  'Runs of the same subscription, or evaluations of the same contract, that the caller may see, newest first',
);
export const listRelatedTasks = listOf(
  'listRelatedTasks',
  'related',
  Task,
  'Other tasks of the same query or the same contract, newest first',
);

export const listTaskAssignees = defineEndpoint({
  operationId: 'listTaskAssignees',
  tag,
  summary: 'Users to whom a task can be assigned, by name: users who can read its project',
  method: 'GET',
  path: `${root}/{id}/assignees`,
  params: IdParams,
  query: Type.Object({
    ...listQuery,
    search: Type.Optional(Type.String({ maxLength: 200, description: 'Part of the name.' })),
  }),
  responses: { 200: pageOf(TaskAssigneeCandidate) },
  // The response contains users' names. It is for callers who may assign tasks, so a key needs Execute.
  access: access.run({ project: 'writable' }),
});

export const getTaskResultHistory = defineEndpoint({
  operationId: 'getTaskResultHistory',
  tag,
  summary: 'Row counts of the runs that the caller may see; for a data contract, rules that did not pass',
  method: 'GET',
  path: `${root}/{id}/result-history`,
  params: IdParams,
  responses: { 200: TaskResultHistory },
  readsLate: true,
  access: readable,
});

/** Declares a change of one task whose response has no body. */
const act = <const Name extends string, T extends TSchema>(
  operationId: Name,
  part: string,
  body: T,
  summaryText: string,
) =>
  defineEndpoint({
    operationId,
    tag,
    summary: summaryText,
    method: 'POST',
    path: `${root}/{id}/${part}`,
    params: IdParams,
    body,
    responses: { 204: null },
    access: writable,
    refusals: { 412: 'The task changed after the caller read it.' },
  });

export const ResolveTaskBody = Type.Object({ resolutionNotes: Type.Optional(notes) });

export const resolveTask = act(
  'resolveTask',
  'resolve',
  ResolveTaskBody,
  'Resolves a task; an existing resolution does not change',
);

export const AssignTaskBody = Type.Object({ assigneeUserId });

export const assignTask = act('assignTask', 'assign', AssignTaskBody, 'Assigns a task');

export const SnoozeTaskBody = Type.Object({ snoozeUntil });

export const snoozeTask = act(
  'snoozeTask',
  'snooze',
  SnoozeTaskBody,
  'Snoozes a task until a time, or until a run returns more rows',
);
export const setTaskPriority = act(
  'setTaskPriority',
  'priority',
  Type.Object({ priority }),
  'Changes the priority',
);

export const reopenTask = defineEndpoint({
  operationId: 'reopenTask',
  tag,
  summary: 'Opens a resolved task again',
  method: 'POST',
  path: `${root}/{id}/reopen`,
  params: IdParams,
  responses: { 204: null },
  access: writable,
  refusals: { 409: 'The task is open, or another task about the same subject is open.' },
});

export const AddTaskCommentBody = Type.Object({
  content: Type.String({ minLength: 1, maxLength: taskCommentLengthMax, pattern: '\\S' }),
});

export const addTaskComment = defineEndpoint({
  operationId: 'addTaskComment',
  tag,
  summary: 'Comments on a task',
  method: 'POST',
  path: `${root}/{id}/comments`,
  params: IdParams,
  body: AddTaskCommentBody,
  responses: { 201: Type.Object({ id: BigId }) },
  access: writable,
});

export const watchTask = defineEndpoint({
  operationId: 'watchTask',
  tag,
  summary: 'Notifies the caller of further events of a task',
  method: 'POST',
  path: `${root}/{id}/watch`,
  params: IdParams,
  responses: { 204: null },
  access: personal,
});

export const unwatchTask = defineEndpoint({
  operationId: 'unwatchTask',
  tag,
  summary: 'Stops notifying the caller of events of a task',
  method: 'POST',
  path: `${root}/{id}/unwatch`,
  params: IdParams,
  responses: { 204: null },
  access: personal,
});

export const ChangeTasksBody = Type.Object({
  taskIds: Type.Array(Id, { minItems: 1, maxItems: 200 }),
  act: wordOf(taskBulkActs),
  resolutionNotes: Type.Optional(notes),
  assigneeUserId: Type.Optional(assigneeUserId),
  snoozeUntil: Type.Optional(snoozeUntil),
  priority: Type.Optional(priority),
});

export const changeTasks = defineEndpoint({
  operationId: 'changeTasks',
  tag,
  summary: 'Applies one action to several tasks, each independently',
  method: 'POST',
  path: `${root}/bulk`,
  body: ChangeTasksBody,
  responses: { 200: TaskBulkResult },
  access: access.write({ project: 'none' }),
});
