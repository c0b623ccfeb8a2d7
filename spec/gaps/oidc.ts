import type { RequirementId } from '../requirements/index.ts';

/** Requirements about oidc that no scenario verifies yet. */
export const oidc: readonly RequirementId[] = [];
