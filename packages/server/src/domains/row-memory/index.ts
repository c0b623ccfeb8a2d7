export { ColumnsMissing } from './columns-missing.ts';
export type { RowChanges } from './comparison.ts';
export { TooManyKeys } from './key-table.ts';
export { createRowMemories, type OpenMemory, type RowMemories } from './memories.ts';
export { type EndOfRun, settleMemory } from './settle.ts';
export { deleteMemory, memoriesUnderOtherKeys, moveMemory } from './store.ts';
