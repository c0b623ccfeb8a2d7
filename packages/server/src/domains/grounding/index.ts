export { type Grounding, groundingOf } from './ground.ts';
export { type EarlierTurn, type GroundedTable, type Known, type KnownKey, tableNameOf } from './known.ts';
export { createReadKnown, type ReadKnown } from './read-known.ts';
export { commentField, nameField, tableFields } from './table-fields.ts';
