import { createPreviewService, previewRoutes } from '../domains/message-previews/index.ts';
import { projectRights } from '../domains/projects/index.ts';
import type { RunSql } from '../doors/run-sql/index.ts';
import type { Ground } from './ground.ts';
import type { Part } from './part.ts';
import { executionLimits, maskingOf, type QueriesPart } from './queries.ts';
import type { RecipientsPart } from './recipients.ts';
import type { RowParts } from './row-memories.ts';
import type { RunsPart } from './runs.ts';

/** Composes previews of each recipient's message. Nothing is sent. */
export function composePreviews(
  ground: Ground,
  deps: RowParts & {
    readonly runSql: RunSql;
    readonly queries: Pick<QueriesPart, 'planQuery'>;
    readonly messages: RunsPart['messages'];
    readonly recipients: RecipientsPart;
    readonly baseUrl: () => Promise<string | undefined>;
  },
): Part {
  const { settings } = ground;
  const previews = createPreviewService({
    database: ground.database,
    rights: projectRights,
    clock: ground.clock,
    runSql: deps.runSql,
    planQuery: deps.queries.planQuery,
    messages: deps.messages,
    memories: deps.memories,
    routings: deps.routings,
    baseUrl: deps.baseUrl,
    limits: executionLimits(settings),
    masking: maskingOf(settings),
    recipients: deps.recipients.reader,
    keys: ground.keys,
    sendSettings: settings.send,
    rules: deps.recipients.rules,
  });
  return { routes: previewRoutes(previews) };
}
