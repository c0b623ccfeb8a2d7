export * from './change.ts';
export * from './read.ts';
export * from './secrets.ts';
export * from './uses.ts';
