export type { DemoDefinition } from './definition.ts';
export { createDemo, type Demo } from './service.ts';
