/** Management of encryption at rest: sealed columns, their keys, and re-encryption under a new key. */
export { forgetOtherKeys, type KeyState, readKeyState, recordCurrentKey } from './key-checks.ts';
export { type ResealFailure, resealColumn } from './reseal.ts';
export { countByKey, findSealedColumns, nameOf, type SealedColumn } from './sealed-columns.ts';
