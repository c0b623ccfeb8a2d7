import type { RequirementId } from '../requirements/index.ts';

/** Requirements about recipient approval that no scenario verifies yet. */
export const recipientApproval: readonly RequirementId[] = ['DL-5.6-08', 'DL-5.6-09', 'DL-5.6-10'];
