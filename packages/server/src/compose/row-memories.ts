import { createRowMemories, type RowMemories } from '../domains/row-memory/index.ts';
import { createRowRoutings, type RowRoutings } from '../domains/row-routing/index.ts';
import type { Ground } from './ground.ts';

/** What a run needs to know of the rows of its subscription. */
export type RowParts = { readonly memories: RowMemories; readonly routings: RowRoutings };

/** What subscriptions remember of the rows that they found. */
export const openRowMemories = ({ database, keys, random, settings }: Ground): RowMemories =>
  createRowMemories({ database, keys, random, rowsMax: settings.subscriptions.rowMemoryMaxRows });

/** Who gets which rows of a subscription. */
export const openRowRoutings = ({ keys, random }: Ground): RowRoutings => createRowRoutings({ keys, random });
