import type { Gap } from './gap.ts';

/** Requirements about rest conventions that no scenario verifies yet. */
export const restConventions: readonly Gap[] = [];
