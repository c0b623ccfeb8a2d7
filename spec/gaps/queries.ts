import type { RequirementId } from '../requirements/index.ts';

/** Requirements about queries that no scenario verifies yet. */
export const queries: readonly RequirementId[] = [
  'RT-4.3-27',
  'RT-4.3-28',
  'RT-4.3-29',
  'RT-4.3-30',
  'RT-4.3-46',
];
