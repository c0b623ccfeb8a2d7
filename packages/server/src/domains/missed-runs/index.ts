export { createHeartbeat } from './heartbeat.ts';
export { createHeartbeatJobs } from './jobs.ts';
export { lockAgainstWatchdog, uncountMissed } from './late-start.ts';
export { createSkipOverlapping, type SkipOverlapping } from './overlap.ts';
export { runUnderWay } from './overlap-store.ts';
export { createMissedRunsService, type MissedRunsService } from './service.ts';
export { createWatchdog, type Watchdog } from './watchdog.ts';
