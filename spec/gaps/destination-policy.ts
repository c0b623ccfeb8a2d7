import type { RequirementId } from '../requirements/index.ts';

/** Requirements about destination policy that no scenario verifies yet. */
export const destinationPolicy: readonly RequirementId[] = [
  'DL-5.4-05',

  'DL-5.4-11',

  'DL-5.4-15',
];
