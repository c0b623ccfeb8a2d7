import type { RequirementId } from '../requirements/index.ts';

/** Requirements about channels that no scenario verifies yet. */
export const channels: readonly RequirementId[] = ['DL-5.1-21'];
