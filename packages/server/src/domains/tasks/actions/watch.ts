import { forbidden, notFound } from '../../../platform/http/index.ts';
import type { CallerActor } from '../../audit/index.ts';
import { lockTask } from '../action-store.ts';
import { setWatching } from '../event-store.ts';
import type { TaskActionsDeps } from './dependencies.ts';

/**
 * Creates the function that starts or stops notifying the caller about a task. The caller needs the right to read it.
 */
export const createWatch =
  ({ database, rights }: TaskActionsDeps) =>
  ({ caller }: CallerActor, id: number, isWatching: boolean): Promise<void> =>
    database.transaction(async (tx) => {
      const task = await lockTask(tx, id);
      if (!task) throw notFound();
      await rights.require(tx, caller, task.projectId, 'Read');
      if (caller.userId === null)
        throw forbidden('no-user-record', 'Only users whom the service stores can watch a task.');
      await setWatching(tx, id, caller.userId, isWatching);
    });
