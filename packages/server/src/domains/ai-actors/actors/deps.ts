import type { Llm } from '../../../gateways/llm/index.ts';
import type { Database } from '../../../platform/db/index.ts';
import type { Audit } from '../../audit/index.ts';
import type { ProjectRights } from '../../projects/index.ts';
import type { Schedules } from '../../subscriptions/index.ts';
import type { Acting } from '../owner.ts';
import type { ClosePlan } from '../plans/close.ts';
import type { StartThinking } from '../thinking/start.ts';

export type AiActorsDeps = {
  readonly database: Database;
  readonly rights: ProjectRights;
  readonly audit: Audit;
  readonly schedules: Schedules;
  readonly llm: Pick<Llm, 'absence'>;
  readonly starting: StartThinking;
  readonly acting: Acting;
  readonly closePlan: ClosePlan;
};
