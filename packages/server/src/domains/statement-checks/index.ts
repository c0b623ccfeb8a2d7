export { type CheckCall, type CheckStatement, recheckStatements } from './recheck.ts';
