import type { Gap } from './gap.ts';

/** Requirements about queries that no scenario verifies yet. */
export const queries: readonly Gap[] = [
  { id: 'RT-4.3-27', state: 'not built', note: 'A query cannot be published as an MCP tool.' },
  {
    id: 'RT-4.3-46',
    state: 'not built',
    note: 'Changes of recipients are decided; queries need no approval.',
  },
];
