import type { McpProjectValues } from '@svc/contract';
import type { TSchema } from 'typebox';
import type { Caller } from '../../../platform/access/index.ts';
import { closed } from '../../../platform/http/index.ts';
import type { LinkedSource } from '../../data-sources/index.ts';

/** A project that a call may use, with its effective settings. */
export type UsableProject = {
  readonly id: number;
  readonly name: string;
  readonly description: string | null;
  readonly settings: McpProjectValues;
  /** Data sources of the project, when they were read with it. */
  readonly sources?: readonly LinkedSource[];
};

/** Context of a call. The tool's schema has accepted the arguments. */
export type ToolCall = {
  readonly caller: Caller;
  readonly project: UsableProject;
  /** Key under which the run-SQL gateway counts concurrent runs. */
  readonly callerId: string;
  /** Aborted when the client disconnects or cancels. */
  readonly signal: AbortSignal;
  /** Reports the subject of the call as early as possible, so that the audit of a refused call contains it. */
  readonly touch: (about: Touched) => void;
};

/** Subject of a call, for the audit. */
export type Touched = {
  readonly dataSourceId?: number;
  readonly queryId?: number;
  /** Version of the saved query. */
  readonly version?: number;
  /** Number of the definition that ran; null when it has none. */
  readonly versionNumber?: number | null;
  /** The unchanged statement, so that an engine's message may repeat its words. */
  readonly statement?: string;
  /** Gate that would refuse the statement, when the call returns this as a result. */
  readonly refusedBy?: string;
};

export type ToolAnswer = {
  /** Text for a model: a description, then the data in its frame. */
  readonly text: string;
  /** Structured result for programs, according to the tool's output schema. */
  readonly structured: Readonly<Record<string, unknown>>;
  /** Number of rows read from data sources; null for tools that read none. */
  readonly rowCount: number | null;
  readonly maskedColumns: readonly string[];
};

/** A tool with its public description and its implementation. No tool changes data in a data source. */
export type Tool<Arguments = never> = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Schema of the arguments, including `project_id`. */
  readonly input: TSchema;
  readonly output: TSchema;
  /** Reads the data sources together with the project, because every call needs them. */
  readonly needsSources?: boolean;
  /** Differences from the annotations of a read-only tool. */
  readonly annotations?: { readonly readOnlyHint: boolean; readonly idempotentHint: boolean };
  readonly run: (args: Arguments, call: ToolCall) => Promise<ToolAnswer>;
};

/** Annotations of a tool that changes nothing, is idempotent, and uses only the project's own sources. */
export const readOnlyAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;

/** Converts a schema to plain JSON Schema. Members that it does not define are refused. */
export const plainSchema = (schema: TSchema): Record<string, unknown> =>
  closed(JSON.parse(JSON.stringify(schema)) as Record<string, unknown>);
