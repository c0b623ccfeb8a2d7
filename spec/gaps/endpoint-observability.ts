import type { RequirementId } from '../requirements/index.ts';

/** Requirements about endpoint observability that no scenario verifies yet. */
export const endpointObservability: readonly RequirementId[] = ['DL-9.2-17'];
