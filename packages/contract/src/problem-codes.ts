import { aiProblems } from './problem-codes/ai.ts';
import { dataQualityProblems } from './problem-codes/data-quality.ts';
import { definitionsProblems } from './problem-codes/definitions.ts';
import { deliveryProblems } from './problem-codes/delivery.ts';
import { documentsProblems } from './problem-codes/documents.ts';
import { hostProblemKinds } from './problem-codes/host-kinds.ts';
import { identityProblems } from './problem-codes/identity.ts';
import { jobsProblems } from './problem-codes/jobs.ts';
import { mcpProblems } from './problem-codes/mcp.ts';
import { migrationsProblems } from './problem-codes/migrations.ts';
import type { ProblemEntry } from './problem-codes/problem-table.ts';
import { projectsProblems } from './problem-codes/projects.ts';
import { requestsProblems } from './problem-codes/requests.ts';
import { sourcesProblems } from './problem-codes/sources.ts';

export { hostProblemKinds, type ProblemEntry };

/** Groups of the table, in reading order. Each code belongs to one group. */
export const problemGroups = {
  'Every request': requestsProblems,
  'Sign-in, users and API keys': identityProblems,
  'Projects, data sources and queries': projectsProblems,
  'Documents of projects': documentsProblems,
  'Subscriptions, recipients and deliveries': deliveryProblems,
  'Running SQL': sourcesProblems,
  'Language model': aiProblems,
  'Data quality': dataQualityProblems,
  'Data migration': migrationsProblems,
  Definitions: definitionsProblems,
  MCP: mcpProblems,
  'Background jobs': jobsProblems,
} as const;

/**
 * All codes of refusals: status, title, meaning and next step. To add a code, add its row to its group; the types, the
 * OpenAPI document, `docs/errors.md` and the help page follow.
 */
export const problemCodes = {
  ...requestsProblems,
  ...identityProblems,
  ...projectsProblems,
  ...documentsProblems,
  ...deliveryProblems,
  ...sourcesProblems,
  ...aiProblems,
  ...dataQualityProblems,
  ...migrationsProblems,
  ...definitionsProblems,
  ...mcpProblems,
  ...jobsProblems,
} as const;

export type ProblemCode = keyof typeof problemCodes;

/** Codes with this HTTP status. */
export type ProblemCodeOf<Status extends number> = {
  [Code in ProblemCode]: (typeof problemCodes)[Code]['status'] extends Status ? Code : never;
}[ProblemCode];

/** Codes with an HTTP status. */
export type HttpProblemCode = ProblemCodeOf<number>;

/** Path of the page that explains every code, from the service's root. */
export const problemHelpPath = '/svc/help/errors';

/** Returns true for a code of the table. Use it to check codes of received responses. */
export const isProblemCode = (code: string): code is ProblemCode => Object.hasOwn(problemCodes, code);

export const problemEntry = (code: ProblemCode): ProblemEntry => problemCodes[code];

/** Returns the `type` of problems with this code, from the service's root: a fixed type, or the code's help entry. */
export const problemType = (code: ProblemCode): string =>
  problemEntry(code).type ?? `${problemHelpPath}#${code}`;

/**
 * Returns the help path of a problem type `/errors/<code>`, from the service's root. Returns undefined for a name that
 * is neither a code nor a kind of the standalone host.
 */
export function problemHelpOf(path: string): string | undefined {
  const [, name = ''] = /^\/errors\/([a-z-]+)$/.exec(path) ?? [];
  return isProblemCode(name) || Object.hasOwn(hostProblemKinds, name)
    ? `${problemHelpPath}#${name}`
    : undefined;
}
