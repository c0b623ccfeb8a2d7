export { moveOpenTask } from './act-store.ts';
export { createTaskActs } from './acts.ts';
export { createTaskClock, type OrderLook, type TaskClock } from './clock.ts';
export { createFollowEvaluation, type FollowEvaluation } from './following/follow-evaluations.ts';
export { createFollowRows, type FollowRows } from './following/follow-runs.ts';
export { orderLooks, serveLooks } from './jobs.ts';
export { createRecordTask, type RecordTask } from './record.ts';
export { taskRoutes } from './routes.ts';
export { createTasksService } from './service.ts';
