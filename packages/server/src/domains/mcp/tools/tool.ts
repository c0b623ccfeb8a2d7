import type { McpProjectValues } from '@svc/contract';
import type { TSchema } from 'typebox';
import type { Caller } from '../../../platform/access/index.ts';
import { closed } from '../../../platform/http/index.ts';
import type { LinkedSource } from '../../data-sources/index.ts';

/** A project that a call may use, with its settings as they hold. */
export type UsableProject = {
  readonly id: number;
  readonly name: string;
  readonly description: string | null;
  readonly settings: McpProjectValues;
  /** Its data sources, where they were read with it. */
  readonly sources?: readonly LinkedSource[];
};

/** What a tool is given beside its arguments, which its schema has accepted. */
export type ToolCall = {
  readonly caller: Caller;
  readonly project: UsableProject;
  /** Whose runs are counted together at the run-SQL door. */
  readonly callerId: string;
  /** Aborted when the client leaves or cancels. */
  readonly signal: AbortSignal;
  /** Told as soon as it is known, so that a refused call is audited with it. */
  readonly touch: (about: Touched) => void;
};

/** What a call was about, for the audit. */
export type Touched = {
  readonly dataSourceId?: number;
  readonly queryId?: number;
  /** Version of the saved query. */
  readonly version?: number;
  /** Names the definition that ran; null where it has none. */
  readonly versionNumber?: number | null;
  /** The statement as it was sent, so that an engine's message may repeat its words. */
  readonly statement?: string;
  /** The gate that would refuse the statement, where the answer is that one would. */
  readonly refusedBy?: string;
};

export type ToolAnswer = {
  /** For a model: what it is, then the data in its frame. */
  readonly text: string;
  /** For programs: as the tool's output schema says. */
  readonly structured: Readonly<Record<string, unknown>>;
  /** Rows of data sources; null for tools that read none. */
  readonly rowCount: number | null;
  readonly maskedColumns: readonly string[];
};

/** A tool as clients see it, with what it does. No tool of ours changes data of others. */
export type Tool<Arguments = never> = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Of the arguments, `project_id` included. */
  readonly input: TSchema;
  readonly output: TSchema;
  /** Every call needs the data sources of its project: they are read with it. */
  readonly needsSources?: boolean;
  /** Where they are others than those of a tool that only reads. */
  readonly annotations?: { readonly readOnlyHint: boolean; readonly idempotentHint: boolean };
  readonly run: (args: Arguments, call: ToolCall) => Promise<ToolAnswer>;
};

/** Nothing is changed, asking twice gives the same, and nothing outside the project's own sources is reached. */
export const readOnlyAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;

/** A schema as plain JSON Schema, closed: members that it does not name are refused. */
export const plainSchema = (schema: TSchema): Record<string, unknown> =>
  closed(JSON.parse(JSON.stringify(schema)) as Record<string, unknown>);
