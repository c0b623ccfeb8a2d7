export { assertNothingManaged, assertUnmanaged, managedRefusal } from './guard.ts';
