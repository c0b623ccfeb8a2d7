export { firstTerms, type ToldTerm } from './choose-words.ts';
export { type Grounding, groundingOf } from './ground.ts';
export {
  type EarlierTurn,
  type GroundedTable,
  type Known,
  type KnownKey,
  type KnownTerm,
  type KnownValues,
  tableNameOf,
} from './known.ts';
export { createReadKnown, type ReadKnown } from './read-known.ts';
export { commentField, nameField, tableFields } from './table-fields.ts';
