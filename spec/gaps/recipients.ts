import type { RequirementId } from '../requirements/index.ts';

/** Requirements about recipients that no scenario verifies yet. */
export const recipients: readonly RequirementId[] = [];
