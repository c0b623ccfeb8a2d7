import type { RequirementId } from '../requirements/index.ts';

/** A requirement that no scenario verifies. */
export type Gap = {
  readonly id: RequirementId;
  /** `not built`: something of it is missing. `not verified`: all of it stands, and a scenario is missing. */
  readonly state: 'not built' | 'not verified';
  /** What is missing, in one sentence. */
  readonly note: string;
};
