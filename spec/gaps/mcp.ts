import type { Gap } from './gap.ts';

/** Requirements about mcp that no scenario verifies yet. */
export const mcp: readonly Gap[] = [];
