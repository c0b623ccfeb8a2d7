import type { Caller } from '../../../platform/access/index.ts';
import { bodyValidator } from '../../../platform/http/index.ts';
import { findUnstorable } from '../../../platform/text/index.ts';
import type { UsableProjects } from '../projects/usable-projects.ts';
import { plainSchema, type Tool, type UsableProject } from '../tools/index.ts';
import type { PublishedTools } from '../tools/published-tools.ts';
import type { ToolAnswer, Touched } from '../tools/tool.ts';
import type { CallLimits } from './call-limits.ts';
import { callerKeyOf } from './caller-key.ts';
import { ToolRefusal } from './refusal.ts';

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

/** Project and records of a call, as far as the call has reached them. */
export type CallProgress = { project?: UsableProject; about: Touched };

type BuiltInTool = { readonly tool: Tool; readonly faultOf: (args: unknown) => string | undefined };

export type RunToolDeps = {
  readonly builtInTools: ReadonlyMap<string, BuiltInTool>;
  readonly publishedTools: Pick<PublishedTools, 'find'>;
  readonly projects: UsableProjects;
  readonly limits: CallLimits;
};

/** Returns the tools by name, each with the validator of its arguments. */
export const toolsByName = (tools: readonly Tool[]): ReadonlyMap<string, BuiltInTool> =>
  new Map(tools.map((tool) => [tool.name, { tool, faultOf: bodyValidator(plainSchema(tool.input)) }]));

/** Returns the project of a call. The arguments have been validated: `project_id` is an integer or absent. */
export const pickProject = (
  projects: UsableProjects,
  tool: Tool,
  args: Readonly<Record<string, unknown>>,
  caller: Caller,
): Promise<UsableProject> =>
  projects.pick(caller, args['project_id'] as number | undefined, tool.needsSources === true);

/**
 * Checks tool, arguments, project and limits, then runs the tool.
 *
 * @throws ToolRefusal when a check fails.
 */
export const runTool = async (
  deps: RunToolDeps,
  name: string,
  args: Readonly<Record<string, unknown>>,
  facts: CallFacts,
  progress: CallProgress,
): Promise<ToolAnswer> => {
  const published = deps.builtInTools.has(name)
    ? undefined
    : await deps.publishedTools.find(name, facts.caller);
  const entry = published ?? deps.builtInTools.get(name);
  if (!entry) throw new ToolRefusal('unknown-tool', `There is no tool called ${name}.`);
  const fault = entry.faultOf(args) ?? faultOfText(args);
  if (fault !== undefined)
    throw new ToolRefusal('invalid-arguments', `The arguments cannot be accepted: ${fault}.`);
  const project =
    published?.project ??
    (await (facts.project ?? pickProject(deps.projects, entry.tool, args, facts.caller)));
  progress.project = project;
  const { settings } = project;
  if (settings.disabledTools.includes(name))
    throw new ToolRefusal('tool-disabled', `The tool ${name} is switched off for project ${project.id}.`);
  const callerKey = callerKeyOf(facts.caller);
  const leave = await deps.limits.enter(callerKey, settings);
  try {
    return await entry.tool.run(args as never, {
      caller: facts.caller,
      project,
      callerId: `mcp ${callerKey}`,
      signal: facts.signal,
      touch: (about) => {
        progress.about = { ...progress.about, ...about };
      },
    });
  } finally {
    leave();
  }
};

/** Refuses U+0000 and unpaired surrogates, because the database cannot store them. */
function faultOfText(args: Readonly<Record<string, unknown>>): string | undefined {
  const place = findUnstorable(args);
  return place === undefined
    ? undefined
    : `${place.replace(/^\//, '')} holds a character that no text can have`;
}
