export { createLateReads, type LateReads, routeReads } from './late-reads.ts';
export { openReplica, type Replica } from './replica.ts';
