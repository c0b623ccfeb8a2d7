import type { ProblemCode } from '@svc/contract';
import type { Caller } from '../../../platform/access/index.ts';
import type { Database } from '../../../platform/db/index.ts';
import { bodyValidator } from '../../../platform/http/index.ts';
import type { Logger } from '../../../platform/log/index.ts';
import { findUnstorable, toStorable } from '../../../platform/text/index.ts';
import type { Audit } from '../../audit/index.ts';
import type { UsableProjects } from '../projects/usable-projects.ts';
import { plainSchema, type Tool, type UsableProject } from '../tools/index.ts';
import type { PublishedTools } from '../tools/published-tools.ts';
import type { ToolAnswer, Touched } from '../tools/tool.ts';
import type { CallLimits } from './call-limits.ts';
import { refusalOf, ToolRefusal } from './refusal.ts';

/** Caller and origin of a call. */
export type CallFacts = {
  readonly caller: Caller;
  readonly clientAddress: string;
  readonly traceId: string;
  /** Aborted when the client disconnects or cancels. */
  readonly signal: AbortSignal;
  /** Project of the call, when `Calls.readEarly` has started to read it for this caller and these arguments. */
  readonly project?: Promise<UsableProject> | undefined;
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

export type CallsDeps = {
  readonly database: Database;
  readonly log: Logger;
  readonly audit: Audit;
  readonly tools: readonly Tool[];
  readonly publishedTools: Pick<PublishedTools, 'find'>;
  readonly projects: UsableProjects;
  readonly limits: CallLimits;
  /** Notes statements of projects with enabled learning. It does not delay the call. */
  readonly learn: (signal: CallSignal) => void;
};

export type Calls = ReturnType<typeof createCalls>;

const argumentsKeptMax = 4_000;

/** Returns the key for the limits of a caller: an API key, a person, or a system of the mapping. */
export function callerKeyOf({ apiKeyId, userId, userName }: Caller): string {
  if (apiKeyId !== null) return `key ${apiKeyId}`;
  return userId === null ? `system ${userName}` : `user ${userId}`;
}

/**
 * Creates the only entry point to tools, for AI clients and for the playground. It checks limits, project and
 * arguments, runs the tool and writes the audit.
 */
export function createCalls(deps: CallsDeps) {
  const { database, log, audit, tools, publishedTools, projects, limits } = deps;
  const toolsByName = new Map(
    tools.map((tool) => [tool.name, { tool, faultOf: bodyValidator(plainSchema(tool.input)) }]),
  );

  /** The arguments have been validated: `project_id` is an integer or absent. */
  const pick = (
    tool: Tool,
    args: Readonly<Record<string, unknown>>,
    caller: Caller,
  ): Promise<UsableProject> =>
    projects.pick(caller, args['project_id'] as number | undefined, tool.needsSources === true);

  type Attempt = { project?: UsableProject; about: Touched };

  const attempt = async (
    name: string,
    args: Readonly<Record<string, unknown>>,
    facts: CallFacts,
    state: Attempt,
  ): Promise<ToolAnswer> => {
    const published = toolsByName.has(name) ? undefined : await publishedTools.find(name, facts.caller);
    const called = published ?? toolsByName.get(name);
    if (!called) throw new ToolRefusal('unknown-tool', `There is no tool called ${name}.`);
    const fault = called.faultOf(args) ?? faultOfText(args);
    if (fault !== undefined)
      throw new ToolRefusal('invalid-arguments', `The arguments cannot be accepted: ${fault}.`);
    const project = published?.project ?? (await (facts.project ?? pick(called.tool, args, facts.caller)));
    state.project = project;
    const { settings } = project;
    if (settings.disabledTools.includes(name))
      throw new ToolRefusal('tool-disabled', `The tool ${name} is switched off for project ${project.id}.`);
    const callerKey = callerKeyOf(facts.caller);
    const leave = await limits.enter(callerKey, settings);
    try {
      return await called.tool.run(args as never, {
        caller: facts.caller,
        project,
        callerId: `mcp ${callerKey}`,
        signal: facts.signal,
        touch: (about) => {
          state.about = { ...state.about, ...about };
        },
      });
    } finally {
      leave();
    }
  };

  return {
    /** Returns true for a built-in tool. Tools of published queries are excluded. */
    has: (name: string): boolean => toolsByName.has(name),

    /**
     * Starts to read the project of a call while its caller is still being confirmed. Returns undefined when the call
     * needs no such read.
     */
    readEarly: (
      name: string,
      args: Readonly<Record<string, unknown>>,
      caller: Caller,
    ): Promise<UsableProject> | undefined => {
      const called = toolsByName.get(name);
      return called && called.faultOf(args) === undefined ? pick(called.tool, args, caller) : undefined;
    },

    /**
     * Calls a tool. Every call, including a failed call, writes one audit event before its response is sent. When the
     * audit write fails, no result is returned.
     */
    call: async (
      name: string,
      args: Readonly<Record<string, unknown>>,
      facts: CallFacts,
      via: 'Client' | 'Playground',
    ): Promise<CallResult> => {
      const startedAt = performance.now();
      const state: Attempt = { about: {} };
      let answer: ToolAnswer | undefined;
      let refusal: { code: string; text: string } | undefined;
      try {
        answer = await attempt(name, args, facts, state);
      } catch (error) {
        refusal = refusalOf(error);
        if (!refusal) {
          log.error({ err: error, traceId: facts.traceId, tool: name }, 'an MCP tool failed');
          refusal = {
            code: 'internal' satisfies ProblemCode,
            text: `Something went wrong on our side. The trace id ${facts.traceId} leads to it in the log.`,
          };
        }
      }
      const text = answer?.text ?? refusal?.text ?? '';
      const result: CallResult = {
        isError: refusal !== undefined,
        text,
        structured: answer?.structured ?? null,
        rowCount: answer?.rowCount ?? null,
        resultBytes: Buffer.byteLength(text),
        executionTimeMs: Math.round(performance.now() - startedAt),
      };
      const { project, about } = state;
      await audit.recordAlone(database, {
        event: 'mcp.tool_called',
        by: facts,
        ...(project && { projectId: project.id }),
        ...(about.queryId !== undefined
          ? { subject: { kind: 'query', id: about.queryId } }
          : about.dataSourceId !== undefined && { subject: { kind: 'data_source', id: about.dataSourceId } }),
        detail: {
          tool: toStorable(name),
          via,
          outcome: refusal?.code ?? 'Succeeded',
          ...(facts.caller.kind === 'mcpCaller' && { callerName: facts.caller.userName }),
          ...(about.version !== undefined && { version: about.version }),
          ...(about.versionNumber !== undefined && { versionNumber: about.versionNumber }),
          rowCount: result.rowCount,
          resultBytes: result.resultBytes,
          maskedColumns: [...(answer?.maskedColumns ?? [])],
          durationMs: result.executionTimeMs,
          ...(keeps(project) && { arguments: keptArguments(args) }),
        },
      });
      tellLearning(deps, name, refusal?.code, facts.caller, state);
      return result;
    },
  };
}

/** Notes the statement of a call, when its project has enabled learning. */
function tellLearning(
  { learn }: Pick<CallsDeps, 'learn'>,
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

/** Refuses U+0000 and unpaired surrogates, because the database cannot store them. */
function faultOfText(args: Readonly<Record<string, unknown>>): string | undefined {
  const place = findUnstorable(args);
  return place === undefined
    ? undefined
    : `${place.replace(/^\//, '')} holds a character that no text can have`;
}

/** Returns true when the project permits the storage of statements. Without a project, no arguments are stored. */
const keeps = (project: UsableProject | undefined): boolean => project?.settings.keepsStatements ?? false;

/** Splits arguments into short texts, because the audit truncates long ones. No character is split. */
function keptArguments(args: Readonly<Record<string, unknown>>): string[] {
  const text = JSON.stringify(args).slice(0, argumentsKeptMax);
  return text.match(/[\s\S]{1,240}/gu) ?? [];
}
