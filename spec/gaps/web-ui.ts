import type { RequirementId } from '../requirements/index.ts';

/** Requirements about web ui that no scenario verifies yet. */
export const webUi: readonly RequirementId[] = [
  'RT-4.1-11',
  'RT-4.1-14',
  'RT-4.1-16',
  'RT-4.1-17',
  'RT-4.1-18',
  'RT-4.1-19',
  'RT-4.1-21',
  'RT-4.1-26',
  'RT-4.1-31',
  'RT-4.1-33',
  'DL-5.7-08',
];
