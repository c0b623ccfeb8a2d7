import type { AccessRow } from './expectation.ts';

/** Operations that have a row and are not built yet; the list only shrinks. */
export const unbuilt: readonly AccessRow['operation'][] = [];

/** Operations that are built, but cannot be requested before data sources exist. */
export const waiting: readonly AccessRow['operation'][] = [];
