import type {
  ListQuery,
  Page,
  Task,
  TaskAssigneeCandidate,
  TaskComment,
  TaskDetail,
  TaskEvent,
  TaskExecution,
  TaskResultHistory,
} from '@svc/contract';
import type { Caller } from '../../platform/access/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { notFound, pageOf, pageRequest } from '../../platform/http/index.ts';
import { includesRight, type ProjectRights } from '../projects/index.ts';
import type { HistoryService } from '../run-history/index.ts';
import { candidateSortable, listCandidates } from './assignee-store.ts';
import { eventSortable, listEvents } from './event-store.ts';
import { createTaskHistory } from './history.ts';
import { presentComment, presentDetail, presentEvent, presentTask } from './present.ts';
import { findTask, listTasks, sortable, type TaskDetailRow, type TaskFilter } from './store.ts';

/** Page and filter of a list. */
export type TasksQuery = ListQuery & Partial<Omit<TaskFilter, 'exceptId'>>;

export type TasksService = ReturnType<typeof createTasksService>;

/**
 * Creates the service that reads tasks: tasks of the projects that the caller can read, and runs that the caller may
 * see.
 */
export function createTasksService(deps: {
  readonly database: Database;
  readonly rights: ProjectRights;
  readonly history: Pick<HistoryService, 'listWithReplaced' | 'visibleTo' | 'hasTaskRows'>;
}) {
  const { database, rights, history } = deps;
  const taskHistory = createTaskHistory(deps);

  const reach = async (caller: Caller, id: number): Promise<{ task: TaskDetailRow; canAct: boolean }> => {
    const task = await findTask(database, id, caller.userId);
    if (!task) throw notFound();
    const right = await rights.require(database, caller, task.projectId, 'Read');
    return { task, canAct: includesRight(right, 'Write') };
  };

  const list = async (caller: Caller, filter: TaskFilter, query: ListQuery): Promise<Page<Task>> => {
    const page = pageRequest(query, { sortable, byDefault: '-createdTime', unique: 't.id' });
    const projectIds = await rights.readableIds(database, caller);
    const view = { projectIds, userId: caller.userId };
    const { rows, totalCount } = await listTasks(database, view, filter, page);
    return pageOf(rows.map(presentTask), totalCount, page);
  };

  const eventsOf = async (caller: Caller, id: number, query: ListQuery, kind: 'Commented' | null) => {
    const { task } = await reach(caller, id);
    const page = pageRequest(query, { sortable: eventSortable, byDefault: '-id', unique: 'e.id' });
    const filter = { taskId: task.id, kind, visibleRuns: await history.visibleTo(caller) };
    return { ...(await listEvents(database, filter, page)), page };
  };

  return {
    list: (caller: Caller, { state = 'Open', ...query }: TasksQuery): Promise<Page<Task>> =>
      list(caller, { ...query, state }, query),

    get: async (caller: Caller, id: number): Promise<TaskDetail> => {
      const { task, canAct } = await reach(caller, id);
      const { queryId } = task;
      const hasStoredRows = queryId !== null && (await history.hasTaskRows(caller, { taskId: id, queryId }));
      return presentDetail(task, { canAct, hasStoredRows });
    },

    listEvents: async (caller: Caller, id: number, query: ListQuery): Promise<Page<TaskEvent>> => {
      const { rows, totalCount, page } = await eventsOf(caller, id, query, null);
      return pageOf(rows.map(presentEvent), totalCount, page);
    },

    listComments: async (caller: Caller, id: number, query: ListQuery): Promise<Page<TaskComment>> => {
      const { rows, totalCount, page } = await eventsOf(caller, id, query, 'Commented');
      return pageOf(rows.map(presentComment), totalCount, page);
    },

    listExecutions: async (caller: Caller, id: number, query: ListQuery): Promise<Page<TaskExecution>> =>
      taskHistory.listExecutions(caller, (await reach(caller, id)).task, query),

    /** Returns the users who can be assigned the task. The caller needs the right to assign it. */
    listAssignees: async (
      caller: Caller,
      id: number,
      query: ListQuery & { readonly search?: string | undefined },
    ): Promise<Page<TaskAssigneeCandidate>> => {
      const { task } = await reach(caller, id);
      await rights.require(database, caller, task.projectId, 'Write');
      const page = pageRequest(query, { sortable: candidateSortable, byDefault: 'name', unique: 'c.id' });
      const { rows, totalCount } = await listCandidates(database, task.projectId, query.search || null, page);
      return pageOf(
        rows.map((row) => ({ id: row.id, name: row.name })),
        totalCount,
        page,
      );
    },

    resultHistory: async (caller: Caller, id: number): Promise<TaskResultHistory> => {
      const { task } = await reach(caller, id);
      return { taskId: task.id, points: await taskHistory.pointsOf(caller, task) };
    },

    /** Returns other tasks of the same query or the same contract, in any state. */
    listRelated: async (caller: Caller, id: number, query: ListQuery): Promise<Page<Task>> => {
      const { task } = await reach(caller, id);
      const { queryId, contractId } = task;
      if (queryId === null && contractId === null) return { items: [], totalCount: 0, pageCount: 0 };
      const same = queryId === null ? { contractId: contractId ?? undefined } : { queryId };
      return list(caller, { state: 'All', ...same, exceptId: task.id }, query);
    },
  };
}
