import type { Jobs } from '@svc/jobs';
import { dropOldEvaluations, dropOldSamples } from '../../domains/contract-evaluations/index.ts';
import { contentDays, dropOldContents } from '../../domains/llm-usage/index.ts';
import { dropOldNotices } from '../../domains/notices/index.ts';
import {
  createRetentionJobs,
  createRetentionService,
  retentionRoutes,
} from '../../domains/retention/index.ts';
import type { Infrastructure } from '../infrastructure.ts';
import type { Module } from '../module.ts';
import { openRetentionSessions } from './own-sessions.ts';

/** Composes the monthly retention of history. It has dedicated sessions, because its statements are long by design. */
export function composeRetention(infra: Infrastructure, { jobs }: { readonly jobs: Jobs }): Module {
  const { log, audit, settings } = infra;
  const { database, close } = openRetentionSessions(infra);
  const service = createRetentionService({
    database,
    log,
    audit,
    readDatabase: infra.database,
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
