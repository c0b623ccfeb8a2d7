import type { Caller } from '../../../platform/access/index.ts';
import type { Database } from '../../../platform/db/index.ts';
import { toStorable } from '../../../platform/text/index.ts';
import type { Audit } from '../../audit/index.ts';
import type { UsableProject } from '../tools/index.ts';
import type { Touched } from '../tools/tool.ts';
import { callerKeyOf } from './caller-key.ts';
import type { CallFacts, CallProgress } from './run-tool.ts';

const storedArgumentsMax = 4_000;

/** A statement of a call, and its outcome. */
export type CallSignal = {
  readonly projectId: number;
  readonly dataSourceId: number;
  readonly callerKey: string;
  readonly tool: string;
  readonly outcome: string;
  readonly statement: string;
  readonly keepsStatements: boolean;
};

/** Result of a call. A refusal by a tool is also a result. */
export type CallResult = {
  readonly isError: boolean;
  readonly text: string;
  readonly structured: Readonly<Record<string, unknown>> | null;
  readonly rowCount: number | null;
  readonly resultBytes: number;
  readonly executionTimeMs: number;
};

/** An ended call. */
export type EndedCall = {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly via: 'Client' | 'Playground';
  readonly outcome: string;
  readonly result: CallResult;
  readonly maskedColumns: readonly string[];
};

/** Writes the audit event of a call. */
export async function recordCall(
  { database, audit }: { readonly database: Database; readonly audit: Audit },
  facts: CallFacts,
  { project, about }: CallProgress,
  { tool, args, via, outcome, result, maskedColumns }: EndedCall,
): Promise<void> {
  await audit.recordAlone(database, {
    event: 'mcp.tool_called',
    by: facts,
    ...(project && { projectId: project.id }),
    ...(about.queryId !== undefined
      ? { subject: { kind: 'query', id: about.queryId } }
      : about.dataSourceId !== undefined && { subject: { kind: 'data_source', id: about.dataSourceId } }),
    detail: {
      tool: toStorable(tool),
      via,
      outcome,
      ...(facts.caller.kind === 'mcpCaller' && { callerName: facts.caller.userName }),
      ...(about.version !== undefined && { version: about.version }),
      ...(about.versionNumber !== undefined && { versionNumber: about.versionNumber }),
      rowCount: result.rowCount,
      resultBytes: result.resultBytes,
      maskedColumns: [...maskedColumns],
      durationMs: result.executionTimeMs,
      ...(mayStoreStatements(project) && { arguments: argumentTexts(args) }),
    },
  });
}

/** Passes the statement of a call to learning, when the project has enabled it. */
export function learnFrom(
  { learn }: { readonly learn: (signal: CallSignal) => void },
  tool: string,
  refusedBy: string | undefined,
  caller: Caller,
  { project, about }: { readonly project?: UsableProject; readonly about: Touched },
): void {
  const { statement, dataSourceId } = about;
  if (!project?.settings.learns || statement === undefined || dataSourceId === undefined) return;
  learn({
    projectId: project.id,
    dataSourceId,
    tool,
    statement,
    outcome: refusedBy ?? about.refusedBy ?? 'Succeeded',
    // All keys of one user count as one caller.
    callerKey: caller.userId === null ? callerKeyOf(caller) : `user:${caller.userId}`,
    keepsStatements: project.settings.keepsStatements,
  });
}

/** Returns true when the project permits the storage of statements. Without a project, no arguments are stored. */
const mayStoreStatements = (project: UsableProject | undefined): boolean =>
  project?.settings.keepsStatements ?? false;

/** Splits arguments into short texts, because the audit truncates long ones. No character is split. */
function argumentTexts(args: Readonly<Record<string, unknown>>): string[] {
  const text = JSON.stringify(args).slice(0, storedArgumentsMax);
  return text.match(/[\s\S]{1,240}/gu) ?? [];
}
