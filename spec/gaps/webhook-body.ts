import type { Gap } from './gap.ts';

/** Requirements about webhook body that no scenario verifies yet. */
export const webhookBody: readonly Gap[] = [
  { id: 'DL-2.2-14', state: 'not built', note: 'There is no anomaly detection; no body has the member.' },
];
