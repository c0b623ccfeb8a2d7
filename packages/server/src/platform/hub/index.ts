export { createHub, type DueTimes, type Hub } from './hub.ts';
export type { HubLimits } from './limits.ts';
export { addressOf } from './members.ts';
