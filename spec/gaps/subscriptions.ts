import type { RequirementId } from '../requirements/index.ts';

/** Requirements about subscriptions that no scenario verifies yet. */
export const subscriptions: readonly RequirementId[] = ['DL-3.2-16', 'RT-4.3-31', 'RT-4.3-40'];
