import { wrongHeaders } from './declared-headers.ts';
import { createFixture, createHostFixture, type Fixture } from './fixture.ts';
import { type AccessRow, accessRows, type CallerKind, callerKinds, type Expectation } from './index.ts';
import { requestFor } from './requests.ts';
import { unbuilt, waiting } from './unbuilt.ts';

/** Two services: one with its own users, and one whose host application owns sign-in. */
export type AccessServices = {
  readonly fixture: Fixture;
  /** The service that has clients for this kind of caller. */
  readonly fixtureOf: (kind: CallerKind) => Fixture;
  readonly close: () => Promise<void>;
};

export async function startAccessServices(): Promise<AccessServices> {
  const fixture = await createFixture();
  const hostFixture = await createHostFixture();
  return {
    fixture,
    fixtureOf: (kind) => (kind === 'hostPrincipal' ? hostFixture : fixture),
    close: async () => {
      await hostFixture.close();
      await fixture.close();
    },
  };
}

/** The rows of existing routes, each with a title for `test.each`. */
export const titledRows: readonly (readonly [title: string, row: AccessRow, index: number])[] = accessRows
  .filter(({ operation }) => ![...unbuilt, ...waiting].includes(operation))
  .map((row, index) => [row.variant ? `${row.operation} (${row.variant})` : row.operation, row, index]);

function isAsExpected(row: AccessRow, expectation: Expectation, status: number): boolean {
  if (expectation === 'open') return status < 500;
  if (expectation === 'passes') return row.passesWith?.includes(status) ?? (status >= 200 && status < 300);
  return status === expectation;
}

/** Sends the row's request as each caller. Returns one sentence per wrong status or header. */
export async function wrongAnswers(
  row: AccessRow,
  kinds: readonly CallerKind[],
  { fixture, fixtureOf }: AccessServices,
): Promise<string[]> {
  const wrong: string[] = [];
  for (const kind of kinds) {
    const client = fixtureOf(kind).clients[kind];
    if (!client) continue;
    const { method, path, body, headers = {}, as = client } = await requestFor(row, fixtureOf(kind), kind);
    const answer = await as.send(method, path, body, { headers });
    const expectation = row.expect[kind];
    if (!isAsExpected(row, expectation, answer.status))
      wrong.push(`${kind}: expected ${expectation}, got ${answer.status} ${answer.text.slice(0, 120)}`);
    wrong.push(...wrongHeaders(fixture.document, row.operation, answer).map((what) => `${kind}: ${what}`));
  }
  return wrong;
}

/**
 * Selects one passing and one refused caller, if the row has them.
 *
 * The index of the row rotates the selection, so that all kinds of callers occur.
 */
export function twoCallers(row: AccessRow, index: number): CallerKind[] {
  const passing = callerKinds.filter((kind) => row.expect[kind] === 'passes');
  const refused = callerKinds.filter((kind) => typeof row.expect[kind] === 'number');
  return [passing, refused].flatMap((kinds) => kinds[index % kinds.length] ?? []);
}
