import type { RunningDeps } from '../calls/running.ts';
import type { Catalogue } from '../context/catalogue.ts';
import { type Asking, askTool, feedbackTool } from './ask.ts';
import { dryRunTool } from './dry-run.ts';
import { type ContextDeps, getContextTool } from './get-context.ts';
import { type DocumentationDeps, getDocumentationTool } from './get-documentation.ts';
import { getQueryContextTool, type QueryContextDeps } from './get-query-context.ts';
import { queryTool } from './query.ts';
import { runSavedQueryTool, searchSavedQueriesTool } from './saved-queries.ts';
import { type SearchDeps, searchTool } from './search.ts';
import type { StatementRules } from './statement.ts';
import type { Tool } from './tool.ts';

/** Returns the tools in their listed order, which is the order in which clients use them. */
export function createTools(
  deps: RunningDeps &
    StatementRules & {
      readonly catalogue: Catalogue;
      readonly asking: Asking;
    } & Omit<ContextDeps, 'catalogue'> &
    Omit<DocumentationDeps, 'catalogue'> &
    Omit<QueryContextDeps, 'catalogue'> &
    Omit<SearchDeps, 'catalogue'>,
): readonly Tool[] {
  // The schema of each tool has accepted its arguments before `run` receives them.
  return [
    getContextTool(deps),
    searchTool(deps),
    getDocumentationTool(deps),
    getQueryContextTool(deps),
    searchSavedQueriesTool(deps),
    runSavedQueryTool(deps),
    dryRunTool(deps),
    queryTool(deps),
    askTool(deps),
    feedbackTool(deps),
  ] as readonly Tool[];
}

export { plainSchema, readOnlyAnnotations, type Tool, type UsableProject } from './tool.ts';
