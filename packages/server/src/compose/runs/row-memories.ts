import { createRowMemories, type RowMemories } from '../../domains/row-memory/index.ts';
import { createRowRoutings, type RowRoutings } from '../../domains/row-routing/index.ts';
import type { Infrastructure } from '../infrastructure.ts';

/** Row data that a run needs for its subscription. */
export type RowModules = { readonly memories: RowMemories; readonly routings: RowRoutings };

/** Creates the row memories of subscriptions. */
export const openRowMemories = ({ database, keys, random, settings }: Infrastructure): RowMemories =>
  createRowMemories({ database, keys, random, rowsMax: settings.subscriptions.rowMemoryMaxRows });

/** Creates the routing of rows to recipients. */
export const openRowRoutings = ({ keys, random }: Infrastructure): RowRoutings =>
  createRowRoutings({ keys, random });
