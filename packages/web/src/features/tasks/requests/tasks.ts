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

export const tasks = (query: QueryOf<typeof listTasks>) => read(listTasks, { query });

export const task = (id: number) => read(getTask, { params: { id } });

/** History of a task, newest first. */
export const taskEvents = (id: number, pageSize: number) =>
  read(listTaskEvents, { params: { id }, query: { pageSize: String(pageSize) } });

export const taskExecutions = (id: number) =>
  read(listTaskExecutions, { params: { id }, query: { pageSize: '20' } });

export const taskResultHistory = (id: number) => read(getTaskResultHistory, { params: { id } });

export const relatedTasks = (id: number) =>
  read(listRelatedTasks, { params: { id }, query: { pageSize: '20' } });

/** Users who can be assigned a task and whose name contains the text. */
export const findAssignees = (id: number) => (search: string, pageSize: string) =>
  read(listTaskAssignees, {
    params: { id },
    query: { pageSize, ...(search !== '' && { search }) },
  });
