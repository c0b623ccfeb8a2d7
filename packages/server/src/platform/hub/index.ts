export { createHub, type Hub } from './hub.ts';
export type { HubLimits } from './limits.ts';
export { addressOf } from './members.ts';
export type { DueTimes } from './open-connection.ts';
