import type { RequirementId } from '../requirements/index.ts';

/** Requirements about rest conventions that no scenario verifies yet. */
export const restConventions: readonly RequirementId[] = [
  'RT-2-08',
  'RT-2-10',
  'RT-2-11',
  'RT-2-12',
  'RT-2-13',
];
