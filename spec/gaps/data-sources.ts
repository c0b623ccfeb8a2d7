import type { Gap } from './gap.ts';

/** Requirements about data sources that no scenario verifies yet. */
export const dataSources: readonly Gap[] = [
  {
    id: 'RT-4.3-16',
    state: 'not verified',
    note: 'All operations of the group stand; no scenario walks through the whole group.',
  },
];
