import { hostProblemKinds, type ProblemEntry, problemCodes } from '../../packages/contract/src/index.ts';

const statusTitles: Readonly<Record<number, string>> = {
  400: 'the input is wrong',
  401: 'not signed in, or with a bad credential',
  403: 'known, but may not',
  404: 'not there, or hidden',
  405: 'not this method',
  408: 'too late',
  409: 'collides with another change or with a state',
  412: 'changed meanwhile',
  413: 'too large',
  414: 'too long an address',
  415: 'not this content type',
  422: 'understood, but cannot be done',
  424: 'the data source failed',
  429: 'too many',
  431: 'too large headers',
  500: 'our fault',
  503: 'at the moment not',
};

const intro = `# Errors

<!-- Written by \`npm run docs\` from the code; do not edit. -->

Every refusal is a problem (RFC 9457, \`application/problem+json\`). \`status\` and \`code\` are stable and meant for
programs; \`title\` names the kind; \`detail\` tells a person what happened and what to do next, and may change. \`traceId\`
leads to the request in the log; a 404 has none, so that a hidden record answers like a missing one. \`errors\` names the
members of the input that were refused. \`type\` is \`/svc/help/errors#<code>\`, below the path that the service is mounted
at: a page of the service that says what stands here. Codes with another \`type\` name it below.

The standalone host gives broken business rules, such as a weak password, the type \`/errors/beacon\`, and operations that
the present state does not allow, such as a second setup, \`/errors/invalid-operation\`; it leads every \`/errors/<code>\` to
the page. A host application answers its own errors as it likes.
`;

/** Returns the page of all problem codes, by status. */
export function errorsPage(): string {
  const entries: readonly (readonly [string, ProblemEntry])[] = Object.entries(problemCodes);
  const statuses = [...new Set(entries.map(([, { status }]) => status))]
    .filter((status) => status !== null)
    .sort((a, b) => a - b);
  return [
    intro,
    ...statuses.map((status) =>
      section(
        `${status}: ${statusTitles[status] ?? 'refused'}`,
        entries.filter(([, entry]) => entry.status === status),
      ),
    ),
    section(
      'Answers of MCP tools',
      entries.filter(([, { status }]) => status === null),
      'A tool that refuses answers with `isError`; its text says what happened and what to do next.',
    ),
    section(
      'Types of the standalone host',
      Object.entries(hostProblemKinds),
      '`/errors/<type>`, in place of the type of the code.',
    ),
  ].join('\n');
}

type Row = Pick<ProblemEntry, 'means' | 'next' | 'type'>;

function section(title: string, entries: readonly (readonly [string, Row])[], lead?: string): string {
  const rows = entries.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([code, entry]) => row(code, entry));
  const before = lead === undefined ? '' : `${lead}\n\n`;
  return `## ${title}\n\n${before}| Code | What it means | What to do next |\n|---|---|---|\n${rows.join('\n')}\n`;
}

const escaped = (text: string): string =>
  text
    .split('`')
    .map((part, index) => (index % 2 === 0 ? part.replaceAll(/[|_]/g, '\\$&') : part))
    .join('`');

function row(code: string, { means, next, type }: Row): string {
  const types = type === undefined ? '' : `<br>(\`type\`: \`${type}\`)`;
  return `| \`${code}\` | ${escaped(means)}${types} | ${escaped(next)} |`;
}
