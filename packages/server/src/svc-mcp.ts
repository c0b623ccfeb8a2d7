import type { FastifyRequest } from 'fastify';
import type { Audit } from './domains/audit/index.ts';
import {
  createCallLimits,
  createCalls,
  createCatalogue,
  createMcpGate,
  createMcpServers,
  createMcpSettingsService,
  createPlainServing,
  createPlayground,
  createResources,
  createTools,
  createUsableProjects,
  discoveryRoutes,
  mcpGovernance,
  mcpRoutes,
  mcpSettingsRoutes,
  metadataUrl,
} from './domains/mcp/index.ts';
import type { McpCallersService } from './domains/mcp-callers/index.ts';
import { projectRights } from './domains/projects/index.ts';
import type { Caller } from './platform/access/index.ts';
import type { Config } from './platform/config/index.ts';
import type { Database } from './platform/db/index.ts';
import { hostOf, type Route } from './platform/http/index.ts';
import type { Logger } from './platform/log/index.ts';
import {
  createCallCancellation,
  createOriginCheck,
  createServing,
  type ServingOverride,
} from './platform/mcp/index.ts';
import type { McpData } from './svc-work.ts';

/** The MCP endpoint, its documents, its settings and its playground. */
export type Mcp = { readonly routes: readonly Route[]; readonly close: () => Promise<void> };

/** Puts MCP together. Without `Svc:Mcp:Enabled` nothing of it is there. */
export function composeMcp(deps: {
  readonly config: Config;
  readonly database: Database;
  readonly log: Logger;
  readonly audit: Audit;
  readonly version: string;
  readonly byKey: (request: FastifyRequest) => Promise<Caller | undefined>;
  readonly mcpCallers: McpCallersService | undefined;
  /** Issuers of the access tokens that are taken at all. */
  readonly issuers: readonly string[];
  readonly data: McpData;
  /** Serves this in place of the tools, on the same way through the gates: for tests of the protocol. */
  readonly servingOverride?: ServingOverride | undefined;
}): Mcp {
  const { config, database, log, audit, data } = deps;
  if (!config['Svc:Mcp:Enabled']) return { routes: [], close: async () => undefined };
  const governance = mcpGovernance(config);
  const piiPatterns = config['Svc:Query:PiiPatterns'];
  const catalogue = createCatalogue({ database, ...data });
  const projects = createUsableProjects({ database, governance, ...data });
  const tools = createTools({
    runSql: data.runSql,
    piiPatterns,
    catalogue,
    dialectOf: data.dialectOf,
    maxSqlChars: config['Svc:Mcp:Ceilings:MaxSqlChars'],
  });
  const calls = createCalls({ database, log, audit, tools, projects, limits: createCallLimits() });
  const settings = createMcpSettingsService({
    database,
    audit,
    governance,
    tools: tools.map(({ name, title, description }) => ({ name, title, description })),
  });
  const cancellation = createCallCancellation();
  const factory = createMcpServers({
    version: deps.version,
    log,
    tools,
    calls,
    projects,
    resources: createResources({ database, audit, catalogue, projects, piiPatterns }),
    cancellation,
    texts: settings.texts,
  });
  const plain = createPlainServing({ version: deps.version, log, calls, cancellation });
  const serving = createServing(
    deps.servingOverride ? { log, ...deps.servingOverride } : { factory, log, plain },
  );
  const [contextTool] = tools;
  if (!contextTool) throw new Error('The tools begin with the one that tells the context.');
  const playground = createPlayground({
    database,
    rights: projectRights,
    governance,
    tools,
    calls,
    projects,
    contextTool,
  });
  const publicBaseUrl = config['Svc:PublicBaseUrl'];
  const { Systems = [], Users } = config['Svc:Mcp:Callers'];
  const takesTokens = deps.mcpCallers !== undefined && (Systems.length > 0 || Users?.Enabled === true);
  return {
    routes: [
      ...mcpRoutes({
        gate: createMcpGate({
          checkOrigin: originCheckOf(config),
          byKey: deps.byKey,
          callerOfToken: deps.mcpCallers?.callerOf,
          metadataUrl: (request) => metadataUrl(request, { publicBaseUrl }),
        }),
        serving,
        cancellation,
        playground,
      }),
      ...discoveryRoutes({
        publicBaseUrl,
        authorizationServers: takesTokens ? deps.issuers.filter((issuer) => URL.canParse(issuer)) : [],
        version: deps.version,
      }),
      ...mcpSettingsRoutes(settings),
    ],
    close: serving.close,
  };
}

/** The host is known when the operator has said which it is. */
function originCheckOf(config: Config) {
  const addresses = [config['Svc:PublicBaseUrl'], config['Svc:BaseUrl']];
  const ownHosts = addresses.flatMap((address) =>
    address === undefined || hostOf(address) === undefined ? [] : [new URL(address).hostname],
  );
  const more = config['Svc:Mcp:AllowedHosts'];
  return createOriginCheck({
    hosts: [...ownHosts, ...more],
    isHostKnown: config['Svc:PublicBaseUrl'] !== undefined || more.length > 0,
    origins: config['Svc:Mcp:AllowedOrigins'],
  });
}
