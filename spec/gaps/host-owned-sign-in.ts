import type { RequirementId } from '../requirements/index.ts';

/** Requirements about host owned sign in that no scenario verifies yet. */
export const hostOwnedSignIn: readonly RequirementId[] = [];
