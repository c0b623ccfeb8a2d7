import type { KnownTerm } from '../../grounding/index.ts';
import type { RunningDeps } from '../calls/running.ts';
import type { Catalogue } from '../context/catalogue.ts';
import { type Asking, askTool, feedbackTool } from './ask.ts';
import { dryRunTool } from './dry-run.ts';
import { getContextTool } from './get-context.ts';
import { queryTool } from './query.ts';
import { runSavedQueryTool, searchSavedQueriesTool } from './saved-queries.ts';
import { searchTool } from './search.ts';
import type { StatementRules } from './statement.ts';
import type { Tool } from './tool.ts';

/** The tools, in the order in which they are listed: how a client goes about a question. */
export function createTools(
  deps: RunningDeps &
    StatementRules & {
      readonly catalogue: Catalogue;
      readonly asking: Asking;
      readonly learnedOf: (projectId: number) => Promise<string[]>;
      readonly termsOf: (projectId: number, dataSourceId: number | null) => Promise<readonly KnownTerm[]>;
    },
): readonly Tool[] {
  // The schema of each has accepted its arguments before `run` sees them.
  return [
    getContextTool(deps),
    searchTool(deps),
    searchSavedQueriesTool(deps),
    runSavedQueryTool(deps),
    dryRunTool(deps),
    queryTool(deps),
    askTool(deps),
    feedbackTool(deps),
  ] as readonly Tool[];
}

export { plainSchema, readOnlyAnnotations, type Tool, type UsableProject } from './tool.ts';
