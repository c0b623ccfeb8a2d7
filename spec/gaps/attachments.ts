import type { RequirementId } from '../requirements/index.ts';

/** Requirements about attachments that no scenario verifies yet. */
export const attachments: readonly RequirementId[] = [];
