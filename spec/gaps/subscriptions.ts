import type { Gap } from './gap.ts';

/** Requirements about subscriptions that no scenario verifies yet. */
export const subscriptions: readonly Gap[] = [
  { id: 'RT-4.3-82', state: 'not built', note: 'There is no anomaly detection, so no chart of it either.' },
];
