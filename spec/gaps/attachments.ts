import type { RequirementId } from '../requirements/index.ts';

/** Requirements about attachments that no scenario verifies yet. */
export const attachments: readonly RequirementId[] = [
  'DL-5.2-01',
  'DL-5.2-02',

  'DL-5.2-04',
  'DL-8-05',
];
