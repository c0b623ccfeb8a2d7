import { type QueryMcpTool, type QueryParameter, queryToolPrefix } from '@svc/contract';
import { plainText } from '../../platform/text/index.ts';

/** What clients call the tool of a query. */
export const toolNameOf = (name: string): string => `${queryToolPrefix}${name}`;

type Offered = {
  readonly toolName: string;
  /** Name and description as they stand in the version, or in place of it. */
  readonly name: string;
  readonly description: string | null;
  readonly versionNumber: number;
  readonly projectId: number;
  readonly projectName: string;
  readonly parameters: readonly QueryParameter[];
};

type Kind = {
  readonly value: { readonly type: string; readonly maxLength?: number };
  readonly hint?: string;
};

const kinds: Readonly<Record<QueryParameter['type'], Kind>> = {
  Number: { value: { type: 'number' } },
  String: { value: { type: 'string', maxLength: 4_000 } },
  Boolean: { value: { type: 'boolean' } },
  Date: { value: { type: 'string', maxLength: 40 }, hint: 'A date, YYYY-MM-DD.' },
  DateTime: {
    value: { type: 'string', maxLength: 40 },
    hint: 'A date and time in ISO 8601; without an offset it is UTC.',
  },
};

/** What people write of a parameter, as a sentence of its own before ours. */
const sentenceOf = (text: string | null | undefined): string | undefined =>
  text?.trim() ? plainText(text.trim()).replace(/([^.!?…])$/, '$1.') : undefined;

/** Without a value and a default it is refused. */
const isNeeded = ({ isRequired, defaultValue }: QueryParameter): boolean =>
  (isRequired ?? true) && (defaultValue ?? null) === null;

function argumentOf(parameter: QueryParameter): Record<string, unknown> {
  const { value, hint } = kinds[parameter.type];
  const said = [sentenceOf(parameter.description), hint].filter(Boolean);
  return {
    ...(isNeeded(parameter) ? value : { anyOf: [value, { type: 'null' }] }),
    ...(said.length > 0 && { description: said.join(' ') }),
    ...((parameter.defaultValue ?? null) !== null && { default: parameter.defaultValue }),
  };
}

/**
 * Arguments of our own, beside the parameters. A parameter of the query that has the same name takes its place: what
 * the query declares comes first.
 */
const ownArguments = {
  max_rows: {
    type: 'integer',
    minimum: 1,
    maximum: 10_000,
    description: 'Most rows to return; default 100. The project may allow fewer.',
  },
  project_id: {
    type: 'integer',
    minimum: 1,
    maximum: 2_147_483_647,
    // Taken all the same: clients with several projects name one with each call.
    deprecated: true,
    description: 'Never needed: the tool belongs to one project.',
  },
} as const;

/** What a client is told of a published query: one line of text each, with nothing hidden in it. */
export function offerOf(query: Offered): NonNullable<QueryMcpTool['offer']> {
  const { toolName, name, description, versionNumber, projectId, projectName, parameters } = query;
  const declared = Object.fromEntries(parameters.map((parameter) => [parameter.name, argumentOf(parameter)]));
  const said = plainText(description?.trim() || name).replace(/[.\s]*$/, '.');
  return {
    name: toolName,
    title: plainText(name),
    description: `${said} Runs version ${versionNumber} of a query that people published for project ${projectId} (${plainText(projectName)}), and returns its rows. Rows, bytes and time are capped, and personal data is masked.`,
    inputSchema: {
      type: 'object',
      properties: {
        ...declared,
        ...Object.fromEntries(Object.entries(ownArguments).filter(([own]) => !Object.hasOwn(declared, own))),
      },
      required: parameters.filter(isNeeded).map((parameter) => parameter.name),
      additionalProperties: false,
    },
  };
}

/** The values of the query's parameters among the arguments of a call, and what is ours of them. */
export function readArguments(
  args: Readonly<Record<string, unknown>>,
  parameters: readonly QueryParameter[],
): { values: Record<string, unknown>; maxRows: number | undefined; projectId: number | undefined } {
  const declared = new Set(parameters.map((parameter) => parameter.name));
  const own = (name: keyof typeof ownArguments): number | undefined => {
    const value = declared.has(name) ? undefined : args[name];
    return typeof value === 'number' ? value : undefined;
  };
  return {
    values: Object.fromEntries(Object.entries(args).filter(([name]) => declared.has(name))),
    maxRows: own('max_rows'),
    projectId: own('project_id'),
  };
}
