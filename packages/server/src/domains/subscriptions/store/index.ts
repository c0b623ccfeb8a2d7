export * from './change.ts';
export * from './read.ts';
export type { Settings } from './settings.ts';
