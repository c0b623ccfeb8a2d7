import type { Gap } from './gap.ts';

/** Requirements about channels that no scenario verifies yet. */
export const channels: readonly Gap[] = [
  { id: 'DL-5.1-21', state: 'not built', note: 'There is no anomaly detection.' },
  { id: 'DL-5.1-35', state: 'not built', note: 'There is no anomaly detection, so no block of it either.' },
];
