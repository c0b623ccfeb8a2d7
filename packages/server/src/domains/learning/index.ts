export { approvedPatterns } from './approved.ts';
export { createLearningJobs } from './jobs.ts';
export { createLearn } from './learn.ts';
export { createPatchesService } from './patches.ts';
export { createReplay } from './replay.ts';
export { learningRoutes } from './routes.ts';
export { createLearningService } from './service.ts';
export { createSignals, type Signal, type Signals } from './signals.ts';
