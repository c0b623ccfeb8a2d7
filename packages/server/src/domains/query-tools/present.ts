import { type QueryMcpTool, type QueryToolIssue, queryToolsOfferedMax } from '@svc/contract';
import { offerOf, toolNameOf } from './offer.ts';
import type { ToolRow } from './store.ts';

/** MCP state of a project: `isEnabled`, and the disabled tools. */
export type McpState = { readonly isEnabled: boolean; readonly disabledTools: readonly string[] };

/** Returns the reasons why clients cannot use the tool. */
function issuesOf(row: ToolRow, toolName: string, mcp: McpState): QueryToolIssue[] {
  const checks: readonly (readonly [QueryToolIssue, boolean])[] = [
    ['McpOff', !mcp.isEnabled],
    ['ToolOff', mcp.disabledTools.includes(toolName)],
    ['SourceNotLinked', row.isSourceMissing],
    ['CheckFailed', row.hasFailedCheck],
    ['BeyondOffered', row.place >= queryToolsOfferedMax],
  ];
  return checks.filter(([, holds]) => holds).map(([issue]) => issue);
}

function offered(row: ToolRow, toolName: string): QueryMcpTool['offer'] {
  const { title, versionNumber, parameters } = row;
  if (title === null || versionNumber === null || parameters === null) return null;
  const description = row.description ?? row.versionDescription;
  return offerOf({ ...row, toolName, name: title, description, versionNumber, parameters });
}

/** Presents the tool of a query. `isFollowing`: queries need approval, and tools run the version approved last. */
export function presentTool(row: ToolRow, mcp: McpState, isFollowing: boolean): QueryMcpTool {
  const toolName = row.isEnabled && row.name !== null ? toolNameOf(row.name) : null;
  return {
    queryId: row.queryId,
    queryName: row.queryName,
    projectId: row.projectId,
    projectName: row.projectName,
    isEnabled: row.isEnabled,
    name: row.name,
    toolName,
    description: row.description,
    versionId: row.versionId,
    versionNumber: row.versionNumber,
    newestVersionId: row.newestVersionId,
    newestVersionNumber: row.newestVersionNumber,
    isNewest: row.versionId !== null && row.versionId === row.newestVersionId,
    isFollowing,
    offer: toolName === null ? null : offered(row, toolName),
    issues: toolName === null ? [] : issuesOf(row, toolName, mcp),
    publishedAt: row.publishedAt?.toISOString() ?? null,
    publishedByUserName: row.publishedByUserName,
    version: row.version,
  };
}
