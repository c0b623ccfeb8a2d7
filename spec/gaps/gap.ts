import type { RequirementId } from '../requirements/index.ts';

/** A requirement that no scenario verifies. */
export type Gap = {
  readonly id: RequirementId;
  /**
   * `not built`: a part of the behaviour is missing. `not verified`: the behaviour exists, and a scenario is missing.
   */
  readonly state: 'not built' | 'not verified';
  /** The missing part, in one sentence. */
  readonly note: string;
};
