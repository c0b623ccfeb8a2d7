import type { RequirementId } from '../requirements/index.ts';

/** Requirements about sign in that no scenario verifies yet. */
export const signIn: readonly RequirementId[] = ['ID-1-01'];
