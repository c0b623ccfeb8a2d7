import { type QueryMcpTool, type QueryParameter, queryToolPrefix } from '@svc/contract';
import { plainText } from '../../platform/text/index.ts';

/** Returns the tool name of a query for MCP clients. */
export const toolNameOf = (name: string): string => `${queryToolPrefix}${name}`;

type Offered = {
  readonly toolName: string;
  /** Name and description of the version, or the texts that replace them. */
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

/** Returns the text of a user with a final full stop, so that a hint of the service can follow. */
const sentenceOf = (text: string | null | undefined): string | undefined =>
  text?.trim() ? plainText(text.trim()).replace(/([^.!?…])$/, '$1.') : undefined;

/** Returns true if the run refuses a missing value. */
const isNeeded = ({ isRequired, defaultValue }: QueryParameter): boolean =>
  (isRequired ?? true) && (defaultValue ?? null) === null;

function argumentOf(parameter: QueryParameter): Record<string, unknown> {
  const { value, hint } = kinds[parameter.type];
  const sentences = [sentenceOf(parameter.description), hint].filter(Boolean);
  return {
    ...(isNeeded(parameter) ? value : { anyOf: [value, { type: 'null' }] }),
    ...(sentences.length > 0 && { description: sentences.join(' ') }),
    ...((parameter.defaultValue ?? null) !== null && { default: parameter.defaultValue }),
  };
}

/** Arguments that the service adds to the parameters. A parameter of the query with the same name replaces them. */
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
    // Accepted nevertheless: clients with several projects send a project with each call.
    deprecated: true,
    description: 'Never needed: the tool belongs to one project.',
  },
} as const;

/** Returns the tool description of a published query for clients. Its texts are single lines without hidden content. */
export function offerOf(query: Offered): NonNullable<QueryMcpTool['offer']> {
  const { toolName, name, description, versionNumber, projectId, projectName, parameters } = query;
  const declared = Object.fromEntries(parameters.map((parameter) => [parameter.name, argumentOf(parameter)]));
  const purpose = plainText(description?.trim() || name).replace(/[.\s]*$/, '.');
  return {
    name: toolName,
    title: plainText(name),
    description: `${purpose} Runs version ${versionNumber} of a query that people published for project ${projectId} (${plainText(projectName)}), and returns its rows. Rows, bytes and time are capped, and personal data is masked.`,
    inputSchema: {
      type: 'object',
      properties: {
        ...declared,
        ...Object.fromEntries(
          Object.entries(ownArguments).filter(([argumentName]) => !Object.hasOwn(declared, argumentName)),
        ),
      },
      required: parameters.filter(isNeeded).map((parameter) => parameter.name),
      additionalProperties: false,
    },
  };
}

/** Separates the arguments of a call: values of the query's parameters, and arguments of the service. */
export function readArguments(
  args: Readonly<Record<string, unknown>>,
  parameters: readonly QueryParameter[],
): { values: Record<string, unknown>; maxRows: number | undefined; projectId: number | undefined } {
  const declared = new Set(parameters.map((parameter) => parameter.name));
  const ownNumber = (name: keyof typeof ownArguments): number | undefined => {
    const value = declared.has(name) ? undefined : args[name];
    return typeof value === 'number' ? value : undefined;
  };
  return {
    values: Object.fromEntries(Object.entries(args).filter(([name]) => declared.has(name))),
    maxRows: ownNumber('max_rows'),
    projectId: ownNumber('project_id'),
  };
}
