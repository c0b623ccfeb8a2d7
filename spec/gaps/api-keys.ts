import type { RequirementId } from '../requirements/index.ts';

/** Requirements about api keys that no scenario verifies yet. */
export const apiKeys: readonly RequirementId[] = [
  'ID-5.6-05',
];
