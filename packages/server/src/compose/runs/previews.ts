import { createPreviewService, previewRoutes } from '../../domains/message-previews/index.ts';
import { projectRights } from '../../domains/projects/index.ts';
import type { RunSql } from '../../gateways/run-sql/index.ts';
import type { Infrastructure } from '../infrastructure.ts';
import type { Module } from '../module.ts';
import { executionLimits, maskingOf, type QueriesModule } from '../sources/queries.ts';
import type { RecipientsModule } from './recipients.ts';
import type { RowModules } from './row-memories.ts';
import type { RunsModule } from './runs.ts';

/** Composes previews of each recipient's message. Nothing is sent. */
export function composePreviews(
  infra: Infrastructure,
  deps: RowModules & {
    readonly runSql: RunSql;
    readonly queries: Pick<QueriesModule, 'planQuery'>;
    readonly messages: RunsModule['messages'];
    readonly recipients: RecipientsModule;
    readonly baseUrl: () => Promise<string | undefined>;
  },
): Module {
  const { settings } = infra;
  const previews = createPreviewService({
    database: infra.database,
    rights: projectRights,
    clock: infra.clock,
    runSql: deps.runSql,
    planQuery: deps.queries.planQuery,
    messages: deps.messages,
    memories: deps.memories,
    routings: deps.routings,
    baseUrl: deps.baseUrl,
    limits: executionLimits(settings),
    masking: maskingOf(settings),
    recipients: deps.recipients.reader,
    keys: infra.keys,
    sendSettings: settings.send,
    rules: deps.recipients.rules,
  });
  return { routes: previewRoutes(previews) };
}
