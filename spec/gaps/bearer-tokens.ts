import type { RequirementId } from '../requirements/index.ts';

/** Requirements about bearer tokens that no scenario verifies yet. */
export const bearerTokens: readonly RequirementId[] = [];
