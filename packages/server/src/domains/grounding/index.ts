export { firstTerms, type PromptTerm } from './choose-words.ts';
export { type Grounding, groundingOf } from './ground.ts';
export {
  type EarlierTurn,
  type GroundedTable,
  type Knowledge,
  type KnownKey,
  type KnownTerm,
  type KnownValues,
  tableNameOf,
} from './knowledge.ts';
export { createReadKnowledge, type ReadKnowledge } from './read-knowledge.ts';
export { commentField, nameField, tableFields } from './table-fields.ts';
