export {
  anonymousCaller,
  type Caller,
  canRead,
  canWrite,
  globalLevel,
  holds,
  isAdmin,
  systemCaller,
} from './caller.ts';
export { describeGrants, judge } from './guard.ts';
