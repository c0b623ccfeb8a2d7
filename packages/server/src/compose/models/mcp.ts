import type { AskService } from '../../domains/ask/index.ts';
import { readDocumentation, readTableFacts } from '../../domains/documentation/index.ts';
import { activeTerms } from '../../domains/glossary/index.ts';
import { createReadKnown } from '../../domains/grounding/index.ts';
import { findDocument, searchDocuments } from '../../domains/imported-documents/index.ts';
import { approvedPatterns } from '../../domains/learning/index.ts';
import {
  createCallLimits,
  createCalls,
  createCatalogue,
  createMcpGate,
  createMcpServers,
  createMcpSettingsService,
  createPlayground,
  createPublishedTools,
  createResources,
  createTools,
  createToolsFastPath,
  createUsableProjects,
  discoveryRoutes,
  type McpSettingsService,
  mcpRoutes,
  mcpSettingsRoutes,
  metadataUrl,
} from '../../domains/mcp/index.ts';
import type { McpCallersService } from '../../domains/mcp-callers/index.ts';
import { projectRights } from '../../domains/projects/index.ts';
import { createCallCancellation, createServing, type ServingOverride } from '../../platform/mcp/index.ts';
import type { ApiKeysModule } from '../identity/api-keys.ts';
import type { Infrastructure } from '../infrastructure.ts';
import type { Module } from '../module.ts';
import type { DataSourcesModule } from '../sources/data-sources.ts';
import type { RunSqlGateway } from '../sources/run-sql-gateway.ts';
import type { LearningModule } from './learning.ts';
import { authorizationServersOf, originCheckOf } from './mcp-clients.ts';

type McpDeps = {
  readonly version: string;
  readonly byKey: ApiKeysModule['byKey'];
  readonly mcpCallers: McpCallersService | undefined;
  readonly sources: DataSourcesModule;
  readonly gateway: RunSqlGateway;
  readonly asking: AskService;
  readonly note: LearningModule['note'];
  /** Replaces the tools, after the same gates, for tests of the protocol. */
  readonly servingOverride: ServingOverride | undefined;
};

export type McpModule = Module & {
  /** Undefined while the MCP endpoint is off. */
  readonly mcpSettings?: McpSettingsService;
};

/** Composes the MCP endpoint, its documents, settings and playground. Empty while MCP is off. */
export function composeMcp(infra: Infrastructure, deps: McpDeps): McpModule {
  const { settings } = infra;
  if (!settings.mcp.isEnabled) return {};
  const offered = offerTools(infra, deps);
  const { calls, tools, publishedTools, projects, cancellation, mcpSettings, factory } = offered;
  const fastPath = settings.mcp.hasFastPath
    ? createToolsFastPath({ version: deps.version, log: infra.log, calls, cancellation })
    : undefined;
  const serving = createServing(
    deps.servingOverride
      ? { log: infra.log, ...deps.servingOverride }
      : { factory, log: infra.log, fastPath },
  );
  const [contextTool] = tools;
  if (!contextTool) throw new Error('The tools begin with the one that tells the context.');
  const playground = createPlayground({
    database: infra.database,
    rights: projectRights,
    governance: settings.mcp.governance,
    tools,
    publishedTools,
    calls,
    projects,
    contextTool,
  });
  const { publicBaseUrl } = settings.addresses;
  const gate = createMcpGate({
    checkOrigin: originCheckOf(settings),
    byKey: deps.byKey,
    callerOfToken: deps.mcpCallers?.callerOf,
    metadataUrl: (request) => metadataUrl(request, { publicBaseUrl }),
  });
  return {
    mcpSettings,
    routes: [
      ...mcpRoutes({ gate, serving, cancellation, playground }),
      ...discoveryRoutes({
        publicBaseUrl,
        authorizationServers: authorizationServersOf(settings, deps.mcpCallers !== undefined),
        version: deps.version,
      }),
      ...mcpSettingsRoutes(mcpSettings),
    ],
    close: serving.close,
  };
}

/** Creates the tools over the governed data, and the factory of the per-request protocol servers. */
function offerTools(infra: Infrastructure, { version, sources, gateway, asking, note }: McpDeps) {
  const { database, log, audit, settings } = infra;
  const { governance, maxSqlChars } = settings.mcp;
  const { piiPatterns } = settings.queries;
  const { linkedSources, openDataSources, readMetadata } = sources;
  const data = { ...gateway, linkedSources, openDataSources, readMetadata };
  const catalogue = createCatalogue({ database, ...data });
  const projects = createUsableProjects({ database, governance, ...data });
  const tools = createTools({
    runSql: gateway.runSql,
    piiPatterns,
    catalogue,
    asking,
    learnedOf: (projectId) => approvedPatterns(database, projectId, null),
    termsOf: (projectId, dataSourceId) => activeTerms(database, projectId, dataSourceId),
    documentationOf: (projectId) => readDocumentation(database, projectId),
    documentsWith: (projectId, words) => searchDocuments(database, projectId, words),
    documentOf: (projectId, id) => findDocument(database, projectId, id),
    factsOf: (projectId, about) => readTableFacts(database, projectId, about),
    knownOf: createReadKnown({ database, snapshotOf: sources.snapshotOf }),
    dialectOf: gateway.dialectOf,
    maxSqlChars,
  });
  const running = { runSql: gateway.runSql, piiPatterns, catalogue };
  const publishedTools = createPublishedTools({ database, projects, ...running });
  const limits = createCallLimits();
  const calls = createCalls({
    database,
    log,
    audit,
    tools,
    publishedTools,
    projects,
    limits,
    learn: note,
  });
  const mcpSettings = createMcpSettingsService({
    database,
    audit,
    governance,
    tools: tools.map(({ name, title, description }) => ({ name, title, description })),
  });
  const cancellation = createCallCancellation();
  const factory = createMcpServers({
    version,
    log,
    tools,
    publishedTools,
    calls,
    projects,
    resources: createResources({ database, audit, catalogue, projects, piiPatterns }),
    cancellation,
    texts: mcpSettings.texts,
  });
  return { tools, publishedTools, calls, projects, cancellation, mcpSettings, factory };
}
