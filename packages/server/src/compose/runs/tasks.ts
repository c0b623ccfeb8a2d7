import type { Jobs } from '@svc/jobs';
import type { RecordAcknowledgement } from '../../domains/alerts/index.ts';
import type { NoticesService } from '../../domains/notices/index.ts';
import { projectRights } from '../../domains/projects/index.ts';
import type { Notify } from '../../domains/realtime/index.ts';
import type { HistoryService } from '../../domains/run-history/index.ts';
import {
  createFollowEvaluation,
  createFollowRows,
  createRecordAcknowledgement,
  createRecordTask,
  createTaskActs,
  createTaskClock,
  createTasksService,
  type FollowEvaluation,
  type FollowRows,
  type OrderLook,
  orderLooks,
  type RecordTask,
  serveLooks,
  taskRoutes,
} from '../../domains/tasks/index.ts';
import type { Infrastructure } from '../infrastructure.ts';
import type { Module } from '../module.ts';

/** Automatic changes of tasks: runs and evaluations open and resolve them, and their due times arrive. */
export type TaskLife = {
  readonly followRows: FollowRows;
  readonly followEvaluation: FollowEvaluation;
  readonly recordAcknowledgement: RecordAcknowledgement;
  readonly record: RecordTask;
  readonly orderLook: OrderLook;
};

export function composeTaskLife(
  { database }: Infrastructure,
  deps: { readonly jobs: Jobs; readonly notices: NoticesService; readonly notify: Notify },
): TaskLife {
  const { jobs, notices, notify } = deps;
  const record = createRecordTask({ notices, taskChanged: notify.taskChanged });
  const clock = createTaskClock({ database, record });
  const orderLook = orderLooks(jobs);
  serveLooks(jobs, clock);
  const steps = { record, clock, orderLook };
  return {
    record,
    orderLook,
    followRows: createFollowRows(steps),
    followEvaluation: createFollowEvaluation(steps),
    recordAcknowledgement: createRecordAcknowledgement({ record }),
  };
}

/** Composes the views and actions of users on tasks. */
export function composeTasks(
  { database, audit }: Infrastructure,
  deps: {
    readonly life: TaskLife;
    readonly notices: NoticesService;
    readonly history: HistoryService;
  },
): Module {
  const { life, notices, history } = deps;
  const rights = projectRights;
  const tasks = createTasksService({ database, rights, history });
  const { record, orderLook } = life;
  const acts = createTaskActs({ database, rights, audit, notices, record, orderLook });
  return { routes: taskRoutes(tasks, acts) };
}
