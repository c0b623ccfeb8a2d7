import type { Gap } from './gap.ts';

/** Requirements about mcp that no scenario verifies yet. */
export const mcp: readonly Gap[] = [
  { id: 'RT-4.1-30', state: 'not built', note: 'MCP learns no patterns.' },
  {
    id: 'RT-4.3-54',
    state: 'not built',
    note: 'Learned patterns, documentation patches and learning statistics are missing.',
  },
];
