import type { ProblemCode } from '@svc/contract';
import type { Caller } from '../../../platform/access/index.ts';
import type { Database } from '../../../platform/db/index.ts';
import type { Logger } from '../../../platform/log/index.ts';
import type { Audit } from '../../audit/index.ts';
import type { UsableProjects } from '../projects/usable-projects.ts';
import type { Tool, UsableProject } from '../tools/index.ts';
import type { PublishedTools } from '../tools/published-tools.ts';
import type { ToolAnswer } from '../tools/tool.ts';
import type { CallLimits } from './call-limits.ts';
import { type CallResult, type CallSignal, learnFrom, recordCall } from './record.ts';
import { refusalOf } from './refusal.ts';
import { type CallFacts, type CallProgress, pickProject, runTool, toolsByName } from './run-tool.ts';

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

/**
 * Creates the only entry point to tools, for AI clients and for the playground. It checks limits, project and
 * arguments, runs the tool and writes the audit.
 */
export function createCalls(deps: CallsDeps) {
  const { log, projects } = deps;
  const builtInTools = toolsByName(deps.tools);
  const toolDeps = { builtInTools, projects, publishedTools: deps.publishedTools, limits: deps.limits };

  return {
    /** Returns true for a built-in tool. Tools of published queries are excluded. */
    has: (name: string): boolean => builtInTools.has(name),

    /**
     * Starts to read the project of a call while its caller is still being confirmed. Returns undefined when the call
     * needs no such read.
     */
    readEarly: (
      name: string,
      args: Readonly<Record<string, unknown>>,
      caller: Caller,
    ): Promise<UsableProject> | undefined => {
      const entry = builtInTools.get(name);
      return entry && entry.faultOf(args) === undefined
        ? pickProject(projects, entry.tool, args, caller)
        : undefined;
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
      const progress: CallProgress = { about: {} };
      let answer: ToolAnswer | undefined;
      let refusal: { code: string; text: string } | undefined;
      try {
        answer = await runTool(toolDeps, name, args, facts, progress);
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
      await recordCall(deps, facts, progress, {
        tool: name,
        args,
        via,
        outcome: refusal?.code ?? 'Succeeded',
        result,
        maskedColumns: answer?.maskedColumns ?? [],
      });
      learnFrom(deps, name, refusal?.code, facts.caller, progress);
      return result;
    },
  };
}
