import type { Gap } from './gap.ts';

/** Requirements about rest groups that no scenario verifies yet. */
export const restGroups: readonly Gap[] = [
  { id: 'RT-4.3-52', state: 'not built', note: 'There are no AI actors.' },
  { id: 'RT-4.3-53', state: 'not built', note: 'There are no AI actors.' },
];
