import type { Gap } from './gap.ts';

/** Requirements about permissions of keys that no scenario verifies yet. */
export const keys: readonly Gap[] = [
  {
    id: 'ID-5.6-45',
    state: 'not built',
    note: 'A Read key reads what saved queries have brought; every route that runs one needs Execute.',
  },
  {
    id: 'ID-5.7-22',
    state: 'not built',
    note: 'Authorization cannot be turned off: no setting does, so the half in which it is off cannot arise.',
  },
];
