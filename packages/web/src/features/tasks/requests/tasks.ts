import {
  getTask,
  getTaskResultHistory,
  listRelatedTasks,
  listTaskAssignees,
  listTaskEvents,
  listTaskExecutions,
  listTasks,
  type QueryOf,
} from '@svc/contract';
import { read } from '../../../lib/server-state.ts';

/** One page of the tasks that the caller can read. */
export const tasks = (query: QueryOf<typeof listTasks>) => read(listTasks, { query });

export const task = (id: number) => read(getTask, { params: { id } });

/** What happened to a task, newest first. */
export const taskEvents = (id: number, pageSize: number) =>
  read(listTaskEvents, { params: { id }, query: { pageSize: String(pageSize) } });

export const taskExecutions = (id: number) =>
  read(listTaskExecutions, { params: { id }, query: { pageSize: '20' } });

export const taskResultHistory = (id: number) => read(getTaskResultHistory, { params: { id } });

export const relatedTasks = (id: number) =>
  read(listRelatedTasks, { params: { id }, query: { pageSize: '20' } });

/** Those who can be assigned a task whose name holds a text. */
export const findAssignees = (id: number) => (search: string, pageSize: string) =>
  read(listTaskAssignees, {
    params: { id },
    query: { pageSize, ...(search !== '' && { search }) },
  });
