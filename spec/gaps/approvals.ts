import type { RequirementId } from '../requirements/index.ts';

/** Requirements about approvals that no scenario verifies yet. */
export const approvals: readonly RequirementId[] = [];
