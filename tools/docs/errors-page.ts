import type { HandedOnCodes } from './handed-on-codes.ts';
import type { ProblemUse } from './problem-codes.ts';

const sentencesShownMax = 3;

const statusTitles: Readonly<Record<number, string>> = {
  400: 'the input is wrong',
  401: 'not signed in, or with a bad credential',
  403: 'known, but may not',
  404: 'not there, or hidden',
  405: 'not this method',
  409: 'collides with another change or with a state',
  412: 'changed meanwhile',
  413: 'too large',
  422: 'understood, but cannot be done',
  429: 'too many',
  500: 'our fault',
  502: 'somebody else’s fault',
  503: 'at the moment not',
};

/** What is said of a code whose sentence is made where it happens. */
const explanations: Readonly<Record<string, string>> = {
  'bad-request': 'What is wrong with the request, before anything of it was read.',
  'invalid-input': 'Which part cannot be accepted and why; `errors` names the members.',
  'setting-locked': 'Which setting configuration locks, and where.',
  'too-many-requests': 'What was too often; `Retry-After` holds the seconds to wait.',
  'weak-password': 'What the password lacks.',
  unauthorized: 'Nothing, where no credential came; else what is wrong with it.',
};

const intro = `# Errors

<!-- Written by \`npm run docs\` from the code; do not edit. -->

Every refusal is a problem (RFC 9457, \`application/problem+json\`). \`status\` and \`code\` are stable and meant for
programs; \`detail\` tells a person what happened and what to do next, and may change. \`traceId\` leads to the request
in the log; a 404 has none, so that a hidden record answers like a missing one. \`errors\` names the members of the
input that were refused. \`type\` is \`about:blank\` unless the table says otherwise; the standalone host gives broken
business rules, such as a weak password, the type \`/errors/beacon\`, and operations that the present state does not
allow, such as a second setup, \`/errors/invalid-operation\`.
`;

/** The page of all problem codes, by status; then those that come from below. */
export function errorsPage(uses: readonly ProblemUse[], handedOn: readonly HandedOnCodes[]): string {
  const statuses = [...new Set(uses.map(({ status }) => status))].sort((a, b) => (a ?? 999) - (b ?? 999));
  return [intro, ...statuses.map((status) => section(status, uses)), ...handedOn.map(handedOnSection)].join(
    '\n',
  );
}

function handedOnSection({ title, codes }: HandedOnCodes): string {
  const rows = codes.map(
    ({ code, explanation }) => `| \`${code}\` | ${escaped(explanation || wordsOf(code))} |`,
  );
  return `## ${title}\n\n\`detail\` is the engine's own message where it has one.\n\n| Code | When |\n|---|---|\n${rows.join('\n')}\n`;
}

/** A code that nothing explains says what it means. */
const wordsOf = (code: string): string =>
  `${code.charAt(0).toUpperCase()}${code.slice(1).replaceAll('-', ' ')}.`;

const escaped = (text: string): string => text.replaceAll(/[|_]/g, '\\$&');

function section(status: number | null, uses: readonly ProblemUse[]): string {
  const title =
    status === null ? 'Any status of 400 to 499' : `${status}: ${statusTitles[status] ?? 'refused'}`;
  const ofStatus = uses.filter((use) => use.status === status);
  const codes = [...new Set(ofStatus.map(({ code }) => code))].sort();
  const rows = codes.map((code) =>
    row(
      code,
      ofStatus.filter((use) => use.code === code),
    ),
  );
  return `## ${title}\n\n| Code | It says |\n|---|---|\n${rows.join('\n')}\n`;
}

function row(code: string, uses: readonly ProblemUse[]): string {
  const sentences = [...new Set(uses.map(({ detail }) => detail).filter((detail) => detail !== null))];
  const shown = sentences.slice(0, sentencesShownMax).map(escaped);
  const explanation = sentences.length === 0 ? [explanations[code] ?? wordsOf(code)] : [];
  const more = sentences.length > sentencesShownMax ? ['and others'] : [];
  const type = uses.find((use) => use.type !== null)?.type;
  const types = type ? [`(\`type\`: \`${type}\`)`] : [];
  return `| \`${code}\` | ${[...shown, ...explanation, ...more, ...types].join('<br>')} |`;
}
