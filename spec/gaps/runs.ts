import type { RequirementId } from '../requirements/index.ts';

/** Requirements about runs that no scenario verifies yet. */
export const runs: readonly RequirementId[] = [];
