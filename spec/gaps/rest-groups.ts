import type { Gap } from './gap.ts';

/** Requirements about REST groups that no scenario verifies yet. */
export const restGroups: readonly Gap[] = [];
