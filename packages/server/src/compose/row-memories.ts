import { createRowMemories, type RowMemories } from '../domains/row-memory/index.ts';
import type { Ground } from './ground.ts';

/** What subscriptions remember of the rows that they found. */
export const openRowMemories = ({ database, keys, random, settings }: Ground): RowMemories =>
  createRowMemories({ database, keys, random, rowsMax: settings.subscriptions.rowMemoryMaxRows });
