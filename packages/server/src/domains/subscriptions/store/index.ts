export * from './change.ts';
export * from './read.ts';
