import type { Gap } from './gap.ts';

/** Requirements about web ui that no scenario verifies yet. */
export const webUi: readonly Gap[] = [];
