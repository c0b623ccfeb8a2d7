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

/** Groups of the table, in the order in which people read them. A code stands in one group. */
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
 * Every code that a refusal may have: its status, its title, what it means and what to do next. A code is added by its
 * row in the group that it belongs to; the types, the OpenAPI document, `docs/errors.md` and the help page follow.
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

/** A code of the table. */
export type ProblemCode = keyof typeof problemCodes;

/** Codes that are answered with this status. */
export type ProblemCodeOf<Status extends number> = {
  [Code in ProblemCode]: (typeof problemCodes)[Code]['status'] extends Status ? Code : never;
}[ProblemCode];

/** Codes that are answered over HTTP. */
export type HttpProblemCode = ProblemCodeOf<number>;

/** Path of the page that explains every code, from the service's root. */
export const problemHelpPath = '/svc/help/errors';

/** True for a code of the table, such as one that came over the wire. */
export const isProblemCode = (code: string): code is ProblemCode => Object.hasOwn(problemCodes, code);

/** What is known of a code. */
export const problemEntry = (code: ProblemCode): ProblemEntry => problemCodes[code];

/** `type` of the problems with this code, from the service's root: fixed, or the help page's entry. */
export const problemType = (code: ProblemCode): string =>
  problemEntry(code).type ?? `${problemHelpPath}#${code}`;

/**
 * Where a problem type of the form `/errors/<code>` is explained, from the service's root; undefined for what is neither
 * a code nor a kind of the standalone host.
 */
export function problemHelpOf(path: string): string | undefined {
  const [, name = ''] = /^\/errors\/([a-z-]+)$/.exec(path) ?? [];
  return isProblemCode(name) || Object.hasOwn(hostProblemKinds, name)
    ? `${problemHelpPath}#${name}`
    : undefined;
}
