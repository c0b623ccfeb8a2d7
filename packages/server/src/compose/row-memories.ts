import { createRowMemories, type RowMemories } from '../domains/row-memory/index.ts';
import { createRowRoutings, type RowRoutings } from '../domains/row-routing/index.ts';
import type { Ground } from './ground.ts';

/** Row data that a run needs for its subscription. */
export type RowParts = { readonly memories: RowMemories; readonly routings: RowRoutings };

/** Creates the row memories of subscriptions. */
export const openRowMemories = ({ database, keys, random, settings }: Ground): RowMemories =>
  createRowMemories({ database, keys, random, rowsMax: settings.subscriptions.rowMemoryMaxRows });

/** Creates the routing of rows to recipients. */
export const openRowRoutings = ({ keys, random }: Ground): RowRoutings => createRowRoutings({ keys, random });
