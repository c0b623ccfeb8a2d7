import type { RequirementId } from '../requirements/index.ts';

/** Requirements about recipient approval that no scenario verifies yet. */
export const recipientApproval: readonly RequirementId[] = [];
