import type { Gap } from './gap.ts';

/** Requirements about projects that no scenario verifies yet. */
export const projects: readonly Gap[] = [];
