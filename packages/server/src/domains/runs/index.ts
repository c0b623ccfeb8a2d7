export { type AskedResult, fingerprintsFor } from './ask.ts';
export { composeMessages } from './compose.ts';
export { type Decision, decide, hasRows } from './decide.ts';
export { createRunEnding, type NotificationCreated, type RunEnding, type RunEvents } from './ending.ts';
export { createResumeAt, createRunJobs, type RunJobs } from './jobs.ts';
export { createRunPipeline, type RunPipeline } from './pipeline.ts';
export { createRunSchedule, type RunSchedule } from './schedule.ts';
export { markStarted } from './start-store.ts';
export { previousResultCount, type RunToExecute } from './store.ts';
