import type { RequirementId } from '../requirements/index.ts';

/** Requirements about bearer tokens that no scenario verifies yet. */
export const bearerTokens: readonly RequirementId[] = [
  'ID-5.5-03',

  'ID-5.5-10',
  'ID-5.5-11',
];
