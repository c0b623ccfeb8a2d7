import { createRowMemories, type RowMemories } from '../domains/row-memory/index.ts';
import type { Ground } from './ground.ts';

/** The rows that subscriptions know. */
export const composeRowMemories = ({ database, keys, random, settings }: Ground): RowMemories =>
  createRowMemories({ database, keys, random, rowsMax: settings.subscriptions.rowMemoryMaxRows });
