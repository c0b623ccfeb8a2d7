import type { RequirementId } from '../requirements/index.ts';

/** Requirements about recipients that no scenario verifies yet. */
export const recipients: readonly RequirementId[] = [
  'DL-2.1-08',
  'DL-2.1-09',
  'DL-2.1-10',
  'DL-2.1-11',
  'DL-2.1-13',
];
