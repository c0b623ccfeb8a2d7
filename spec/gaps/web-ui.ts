import type { Gap } from './gap.ts';

/** Requirements about the web UI that no scenario verifies yet. */
export const webUi: readonly Gap[] = [];
