import { mcpLimits } from '@svc/contract';
import { boolean, integer, list } from '../setting.ts';

const ceilings = 'Svc:Mcp:Ceilings';

/** Settings of the MCP endpoint that the UI cannot change: reachability, and upper limits of the settings in the UI. */
export const mcpSettings = {
  'Svc:Mcp:Enabled': boolean('The MCP endpoint and its discovery documents.', true),
  'Svc:Mcp:AllowedHosts': list(
    'More host names that the MCP endpoint may be called by, beside loopback and those of Svc:PublicBaseUrl and Svc:BaseUrl. Hosts are checked when this, Svc:PublicBaseUrl, or a loopback address is used.',
  ),
  'Svc:Mcp:AllowedOrigins': list(
    'More web origins whose pages may call the MCP endpoint, e.g. https://chat.example.org.',
  ),
  'Svc:Mcp:DisabledTools': list('Tools that are off, whatever the settings page says.'),
  'Svc:Mcp:FastPath': boolean(
    'Ordinary calls of tools are answered past the MCP SDK, with the same answers in less time. Off: all go through it.',
    true,
  ),
  'Svc:Mcp:ForceNoContentRetention': boolean(
    'The audit never keeps the arguments of MCP calls, whatever the settings page says.',
    false,
  ),
  [`${ceilings}:MaxRows` as const]: integer('Most that the row limit may be set to.', mcpLimits.maxRows),
  [`${ceilings}:StatementTimeoutSeconds` as const]: integer(
    'Most that the time limit may be set to.',
    mcpLimits.statementTimeoutSeconds,
  ),
  [`${ceilings}:MaxResultBytes` as const]: integer(
    'Most that the byte limit may be set to.',
    mcpLimits.maxResultBytes,
  ),
  [`${ceilings}:MaxConcurrentCalls` as const]: integer(
    'Most that the limit of calls at once may be set to.',
    mcpLimits.maxConcurrentCalls,
  ),
  [`${ceilings}:MaxCallsPerMinute` as const]: integer(
    'Most that the limit of calls a minute may be set to.',
    mcpLimits.maxCallsPerMinute,
  ),
  [`${ceilings}:MaxSqlChars` as const]: integer('Longest statement that an AI client may send.', {
    default: 100_000,
    min: 1_000,
    max: 1_000_000,
  }),
} as const;
