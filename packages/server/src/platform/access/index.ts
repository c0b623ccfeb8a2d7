export {
  anonymousCaller,
  type Caller,
  canRead,
  canWrite,
  globalLevel,
  holds,
  identityOf,
  isAdmin,
  systemCaller,
} from './caller.ts';
export { accessRefusal, describeGrants, executeRequired, sessionRequired } from './guard.ts';
