/** Secrets at rest as a whole: which columns hold them, under which keys, and how they come under a new one. */
export { forgetOtherKeys, type KeyState, readKeyState, recordCurrentKey } from './key-checks.ts';
export { type ResealFailure, resealColumn } from './reseal.ts';
export { countByKey, findSealedColumns, nameOf, type SealedColumn } from './sealed-columns.ts';
