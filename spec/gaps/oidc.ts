import type { RequirementId } from '../requirements/index.ts';

/** Requirements about oidc that no scenario verifies yet. */
export const oidc: readonly RequirementId[] = [
  'ID-5.4-22',

  'ID-5.6-26',
  'ID-5.7-15',
];
