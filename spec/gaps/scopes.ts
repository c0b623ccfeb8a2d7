import type { RequirementId } from '../requirements/index.ts';

/** Requirements about scopes that no scenario verifies yet. */
export const scopes: readonly RequirementId[] = [];
