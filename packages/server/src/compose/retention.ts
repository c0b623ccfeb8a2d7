import type { Jobs } from '@svc/jobs';
import { dropOldEvaluations, dropOldSamples } from '../domains/contract-evaluations/index.ts';
import { contentDays, dropOldContents } from '../domains/llm-usage/index.ts';
import { dropOldNotices } from '../domains/notices/index.ts';
import { createRetentionJobs, createRetentionService, retentionRoutes } from '../domains/retention/index.ts';
import type { Ground } from './ground.ts';
import { openRetentionSessions } from './own-sessions.ts';
import type { Part } from './part.ts';

/** Composes the monthly retention of history. It has dedicated sessions, because its statements are long by design. */
export function composeRetention(ground: Ground, { jobs }: { readonly jobs: Jobs }): Part {
  const { log, audit, settings } = ground;
  const { database, close } = openRetentionSessions(ground);
  const service = createRetentionService({
    database,
    log,
    audit,
    readDatabase: ground.database,
    days: { ...settings.retention, llmContents: contentDays },
    dropNotices: (keepDays, limit) => dropOldNotices(database, keepDays, limit),
    dropEvaluations: (keepDays, limit) => dropOldEvaluations(database, keepDays, limit),
    dropLlmContents: (keepDays, limit) => dropOldContents(database, keepDays, limit),
    dropSamples: (keepDays, limit) => dropOldSamples(database, keepDays, limit),
  });
  const upkeep = createRetentionJobs({ jobs, service });
  return {
    routes: retentionRoutes(service),
    start: async () => {
      await service.addMonths();
      if (settings.process.runsJobs) await upkeep.start();
    },
    close,
  };
}
