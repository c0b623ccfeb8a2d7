import type { QueryApproval, QueryDefinitionView } from '@svc/contract';
import type { ApprovalsService } from '../approvals/index.ts';
import type { StoredVersion } from '../queries/index.ts';
import { differencesOf, type linkedSources } from '../query-versions/index.ts';
import type { UsesRow } from './store.ts';

type Linked = Awaited<ReturnType<typeof linkedSources>>;

/** Presents a version to reviewers. Omits the name of a data source that is no longer linked to the project. */
const presentView = (version: StoredVersion, linked: Linked): QueryDefinitionView => ({
  versionId: version.id,
  versionNumber: version.versionNumber,
  name: version.name,
  description: version.description,
  steps: version.steps.map((step) => ({
    ...step,
    dataSourceName: linked.get(step.dataSourceId)?.name ?? null,
    isSourceLinked: linked.has(step.dataSourceId),
  })),
  finalQuery: version.finalQuery,
  parameters: [...version.parameters],
});

/** Empty definition. Compared with it, each part of a new definition is an addition. */
const nothing = { name: '', description: null, steps: [], finalQuery: null, parameters: [] };

/** Presents a request about a query, with both definitions and the affected subscriptions. */
export const presentApproval = (
  request: Awaited<ReturnType<ApprovalsService['getOfQuery']>>,
  shown: {
    readonly projectId: number;
    readonly proposed: StoredVersion;
    readonly active: StoredVersion | undefined;
    readonly linked: Linked;
    readonly uses: UsesRow;
    readonly canCompare: boolean;
  },
): QueryApproval => ({
  ...request.change,
  projectId: shown.projectId,
  changeSource: shown.proposed.source,
  changeReason: shown.proposed.reason,
  proposed: presentView(shown.proposed, shown.linked),
  active: shown.active ? presentView(shown.active, shown.linked) : null,
  parts: differencesOf(shown.active ?? nothing, shown.proposed),
  approvalHash: request.approvalHash,
  usedBy: shown.uses,
  canCompare: shown.canCompare,
});
