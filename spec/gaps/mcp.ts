import type { Gap } from './gap.ts';

/** Requirements about MCP that no scenario verifies yet. */
export const mcp: readonly Gap[] = [];
