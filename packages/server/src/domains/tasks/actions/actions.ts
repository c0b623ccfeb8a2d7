import { createAssign } from './assign.ts';
import { createComment } from './comment.ts';
import type { TaskActionsDeps } from './dependencies.ts';
import { createPrioritise } from './prioritise.ts';
import { createReopen } from './reopen.ts';
import { createResolve } from './resolve.ts';
import { createSnooze, createWake } from './snooze.ts';
import { createWatch } from './watch.ts';

export type TaskActions = ReturnType<typeof createTaskActions>;

/** Creates the actions of users on tasks. All except `watch` need Write in the project and are audited. */
export const createTaskActions = (deps: TaskActionsDeps) => ({
  resolve: createResolve(deps),
  reopen: createReopen(deps),
  assign: createAssign(deps),
  snooze: createSnooze(deps),
  wake: createWake(deps),
  prioritise: createPrioritise(deps),
  comment: createComment(deps),
  watch: createWatch(deps),
});
