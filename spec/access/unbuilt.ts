import type { AccessRow } from './expectation.ts';

/** Operations that have a row and are not built yet; the list only shrinks. */
export const unbuilt: readonly AccessRow['operation'][] = ['PUT /svc/api/ai-actors/{id}/owner'];

/** Operations that are built, but cannot be asked for before data sources can be made. */
export const waiting: readonly AccessRow['operation'][] = [];
