import type { Gap } from './gap.ts';

/** Requirements about rest conventions that no scenario verifies yet. */
export const restConventions: readonly Gap[] = [
  { id: 'RT-2-13', state: 'not built', note: 'There are no AI actors.' },
];
