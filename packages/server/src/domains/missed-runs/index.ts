export { createHeartbeat } from './heartbeat.ts';
export { createMissedRunsJobs } from './jobs.ts';
export { createMissedRunsService, type MissedRunsService } from './service.ts';
export { createWatchdog, type Watchdog } from './watchdog.ts';
