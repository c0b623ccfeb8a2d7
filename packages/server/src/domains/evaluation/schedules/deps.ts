import type { Jobs } from '@svc/jobs';
import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/db/index.ts';
import type { Audit } from '../../audit/index.ts';
import type { RequireModel } from '../../llm-usage/index.ts';
import type { TellResponsible } from '../../notices/index.ts';
import type { Schedules } from '../../subscriptions/index.ts';
import type { StartRun } from '../starting.ts';

export type EvalSchedulesDeps = {
  readonly database: Database;
  readonly jobs: Jobs;
  readonly audit: Audit;
  readonly clock: Clock;
  readonly schedules: Schedules;
  readonly requireModel: RequireModel;
  readonly startRun: StartRun;
  readonly tellResponsible: TellResponsible;
};
