import type { QueryToolIssue } from '@svc/contract';

/** Reasons why AI clients cannot call a published query, with the next step. */
export const issueTexts: Readonly<Record<QueryToolIssue, string>> = {
  McpOff: 'AI clients may not call tools in this project. The MCP settings switch them on.',
  ToolOff: 'This tool is switched off for the project.',
  SourceNotLinked:
    'A data source that this version reads is not linked to the project any more: calls are refused. Link it again, or publish a version that reads others.',
  CheckFailed:
    'The engine did not accept this version when its schema had changed: calls will fail. Publish a version that runs.',
  BeyondOffered:
    'The project has more published queries than are offered by name: clients find this one by searching.',
};
