import type { Gap } from './gap.ts';

/** Requirements about runs that no scenario verifies yet. */
export const runs: readonly Gap[] = [
  { id: 'DL-3.1-10', state: 'not built', note: 'There is no anomaly detection, so no baseline either.' },
];
