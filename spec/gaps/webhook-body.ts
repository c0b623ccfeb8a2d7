import type { RequirementId } from '../requirements/index.ts';

/** Requirements about webhook body that no scenario verifies yet. */
export const webhookBody: readonly RequirementId[] = ['DL-2.2-14'];
