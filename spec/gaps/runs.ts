import type { RequirementId } from '../requirements/index.ts';

/** Requirements about runs that no scenario verifies yet. */
export const runs: readonly RequirementId[] = ['DL-1-03', 'DL-1-04', 'DL-2.5-03', 'DL-3.1-09', 'DL-3.1-10'];
