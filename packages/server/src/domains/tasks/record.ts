import type { NoticeKind, TaskEventKind } from '@svc/contract';
import type { Tx } from '../../platform/db/index.ts';
import type { NoticesService } from '../notices/index.ts';
import type { Notify } from '../realtime/index.ts';
import { findFollowers, insertEvent } from './event-store.ts';

/** Event of a task, with the notice for its followers. */
export type TaskHappening = {
  readonly task: { readonly id: number; readonly projectId: number };
  readonly event: TaskEventKind;
  /** Author; null: the service itself. Authors get no notice of their own actions. */
  readonly by: { readonly userId: number | null; readonly userName: string | null } | null;
  /** Run that caused the event. */
  readonly runId?: number;
  readonly content?: string | null;
  readonly detail?: Readonly<Record<string, unknown>>;
  /** Absent: the event causes no notice. */
  readonly notice?: {
    readonly kind: NoticeKind;
    readonly facts: Readonly<Record<string, unknown>>;
    /** Further users to notify, although they no longer follow the task. */
    readonly also?: readonly (number | null)[];
    /** True: the responsible users are notified if the task has no followers. */
    readonly isForResponsible?: boolean;
  };
};

export type RecordTask = (tx: Tx, happening: TaskHappening) => Promise<number>;

/** Creates the function that stores events of tasks and notifies assignee and watchers, in the same transaction. */
export const createRecordTask =
  (deps: {
    readonly notices: Pick<NoticesService, 'tellPeople' | 'tellResponsible' | 'readersAmong'>;
    readonly taskChanged: Notify['taskChanged'];
  }): RecordTask =>
  async (tx, { task, event, by, runId, content = null, detail = {}, notice }) => {
    const userId = by?.userId ?? null;
    const eventId = await insertEvent(tx, {
      taskId: task.id,
      kind: event,
      userId,
      content,
      detail,
      ...(runId !== undefined && { runId }),
    });
    const followers = await findFollowers(tx, task.id);
    const seen = userId === null ? followers : [...new Set([...followers, userId])];
    const readers = await deps.notices.readersAmong(tx, task.projectId, seen);
    await deps.taskChanged(tx, { taskId: task.id, kind: event, userIds: readers });
    if (!notice) return eventId;
    const { kind, facts, also = [] } = notice;
    const newNotice = {
      kind,
      subject: { kind: 'Task', id: task.id } as const,
      runId: null,
      facts: by === null ? facts : { ...facts, by: by.userName },
    };
    const heard = [...new Set([...followers, ...also])].flatMap((id) =>
      id === null || id === userId ? [] : [id],
    );
    const people = await deps.notices.readersAmong(tx, task.projectId, heard);
    if (people.length > 0) await deps.notices.tellPeople(tx, newNotice, people);
    else if (notice.isForResponsible === true)
      await deps.notices.tellResponsible(tx, { ...newNotice, isRepetition: false });
    return eventId;
  };
