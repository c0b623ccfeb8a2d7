import type { Gap } from './gap.ts';

/** Requirements about web ui that no scenario verifies yet. */
export const webUi: readonly Gap[] = [
  { id: 'RT-4.1-19', state: 'not built', note: 'There are no AI actors.' },
];
