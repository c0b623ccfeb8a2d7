export * from './access.ts';
export * from './endpoint.ts';
export * from './endpoint-problems.ts';
export * from './endpoints/index.ts';
export * from './hub-events.ts';
export * from './problem.ts';
export * from './problem-codes.ts';
export * from './shapes.ts';
