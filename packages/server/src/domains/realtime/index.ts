export { createNotify, type Notify, startedBy } from './notify.ts';
export { createRealtime } from './service.ts';
