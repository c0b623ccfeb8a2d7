import type { RequirementId } from '../requirements/index.ts';

/** Requirements about channels that no scenario verifies yet. */
export const channels: readonly RequirementId[] = [
  'DL-0-01',
  'DL-0-02',

  'DL-5.1-03',

  'DL-5.1-11',
  'DL-5.1-12',
  'DL-5.1-13',

  'DL-5.1-21',

  'DL-5.1-27',
  'DL-5.1-28',
  'DL-5.1-29',
  'DL-5.1-30',

  'DL-5.1-33',
];
