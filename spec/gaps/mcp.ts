import type { Gap } from './gap.ts';

/** Requirements about mcp that no scenario verifies yet. */
export const mcp: readonly Gap[] = [
  {
    id: 'RT-2-07',
    state: 'not built',
    note: 'Repositories and documentation of a project are missing.',
  },
  { id: 'RT-2-09', state: 'not built', note: 'Publishing as an MCP tool is missing.' },
  { id: 'RT-4.1-30', state: 'not built', note: 'MCP learns no patterns.' },
  {
    id: 'RT-4.3-10',
    state: 'not built',
    note: 'Repositories and documentation of a project are missing.',
  },
  { id: 'RT-4.3-24', state: 'not built', note: 'Publishing as an MCP tool is missing.' },
  {
    id: 'RT-4.3-54',
    state: 'not built',
    note: 'Learned patterns, documentation patches and learning statistics are missing.',
  },
];
