import type { RequirementId } from '../requirements/index.ts';

/** Requirements about api keys that no scenario verifies yet. */
export const apiKeys: readonly RequirementId[] = [
  'ID-2.5-21',
  'ID-2.5-22',
  'ID-2.5-23',

  'ID-5.6-05',
];
