import type { Gap } from './gap.ts';

/** Requirements about subscriptions that no scenario verifies yet. */
export const subscriptions: readonly Gap[] = [
  { id: 'DL-3.2-16', state: 'not built', note: 'There are no data contracts to attach a recipient to.' },
  { id: 'RT-4.3-82', state: 'not built', note: 'There is no anomaly detection, so no chart of it either.' },
];
