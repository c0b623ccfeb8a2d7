import type { Gap } from './gap.ts';

/** Requirements about REST conventions that no scenario verifies yet. */
export const restConventions: readonly Gap[] = [];
