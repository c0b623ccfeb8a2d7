export { moveOpenTask } from './act-store.ts';
export { createTaskActs } from './acts.ts';
export { createTaskClock, type OrderLook, type TaskClock } from './clock.ts';
export { createFollowRows, type FollowRows } from './follow.ts';
export { orderLooks, serveLooks } from './jobs.ts';
export { createRecordTask, type RecordTask } from './record.ts';
export { taskRoutes } from './routes.ts';
export { createTasksService } from './service.ts';
